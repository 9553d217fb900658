// The signature on the sandbox payment provider's events, as Stripe documents it (docs.stripe.com/webhooks/signature).
import { createHmac } from 'node:crypto'

export function stripeSignature(payload: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex')}`
}
