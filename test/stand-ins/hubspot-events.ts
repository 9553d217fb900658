// Webhooks as HubSpot sends them: signature v3, computed by the stand-in's own code.
import { createHmac } from 'node:crypto'

type Signing = { to: string; at: Date; secret: string }

/** A text is the body as it is. */
export function signedEvents(events: unknown[] | string, { to, at, secret }: Signing) {
  const body = typeof events === 'string' ? events : JSON.stringify(events)
  const timestamp = String(at.getTime())
  const signature = createHmac('sha256', secret).update(`POST${to}${body}${timestamp}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'x-hubspot-signature-v3': signature,
    'x-hubspot-request-timestamp': timestamp,
  }
  return { body, headers }
}
