// The payment port on Stripe, one account per legal entity (docs/interface.md, Outside systems; docs/decisions/0018).
import type { Payments } from '#ports/payments.ts'
import { stripeApi } from './api.ts'
import { closeCheckout, openCheckout } from './checkout.ts'
import { readStripeEvent } from './events.ts'
import { fromStripe } from './amounts.ts'
import { look } from './look.ts'
import { refundPayment } from './refund.ts'
import { cancelSubscription, openSubscription } from './subscription.ts'

export type StripePaymentsOptions = {
  company: string
  secretKey: string
  /** All that are live, such as the old and the new one during a change. */
  webhookSecrets: readonly string[]
  /** What the customer may pay an invoice with, in Stripe's names. */
  methods: readonly string[]
  livemode: boolean
  url: string
  timeoutMs?: number
}

export function stripePayments(options: StripePaymentsOptions): Payments {
  const { company, secretKey, methods, url, timeoutMs = 10_000 } = options
  const api = stripeApi({ company, secretKey, url, timeoutMs })
  const reader = { ...options, amountOf: fromStripe }
  return {
    openCheckout: (checkout) => openCheckout(api, methods, checkout),
    closeCheckout: (reference, idempotencyKey) => closeCheckout(api, reference, idempotencyKey),
    refund: (refund) => refundPayment(api, refund),
    look: (resource, reference) => look(api, resource, reference),
    openSubscription: (request) => openSubscription(api, request),
    cancelSubscription: (reference) => cancelSubscription(api, reference),
    readEvent: (headers, body, now) => readStripeEvent(reader, { headers, body, now }),
  }
}
