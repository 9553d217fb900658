// The payment port on Stripe, one account per legal entity (docs/interface/general.md, Outside the API;
// docs/decisions/0018).
import { type Payments } from '#ports/payments.ts'
import { stripeApi } from './api.ts'
import { closeCheckout, openCheckout } from './checkout.ts'
import { paymentCodes } from './codes.ts'
import { readStripeEvent } from './events.ts'
import { look } from './look.ts'
import { openMethodsPage } from './methods-page.ts'
import { refundPayment } from './refund.ts'
import {
  cancelSubscription,
  changeSubscription,
  keepSubscription,
  openSubscription,
  pauseSubscription,
  resumeSubscription,
} from './subscription.ts'

export type StripePaymentsOptions = {
  company: string
  secretKey: string
  /** All secrets in use, such as the old and the new one during a change. */
  webhookSecrets: readonly string[]
  livemode: boolean
  url: string
  /** The name of the provider that owns the ids, when it is not Stripe itself (docs/decisions/0035). */
  providerName?: string
  timeoutMs?: number
}

export function stripePayments(options: StripePaymentsOptions): Payments {
  const { company, secretKey, livemode, url, timeoutMs = 10_000 } = options
  const api = stripeApi({ company, secretKey, url, timeoutMs })
  return {
    // Objects of an account's test mode do not exist in its live mode.
    provider: options.providerName ?? (livemode ? 'stripe' : 'stripe-test'),
    openCheckout: (checkout) => openCheckout(api, checkout),
    paymentCodes: (codes) => paymentCodes(api, codes),
    openMethodsPage: (customer, returnUrl) => openMethodsPage(api, customer, returnUrl),
    closeCheckout: (reference, idempotencyKey) => closeCheckout(api, reference, idempotencyKey),
    refund: (refund) => refundPayment(api, refund),
    look: (resource, reference) => look(api, resource, reference),
    openSubscription: (request) => openSubscription(api, request),
    cancelSubscription: (reference, at) => cancelSubscription(api, reference, at),
    keepSubscription: (reference) => keepSubscription(api, reference),
    changeSubscription: (plan) => changeSubscription(api, plan),
    pauseSubscription: (reference) => pauseSubscription(api, reference),
    resumeSubscription: (reference) => resumeSubscription(api, reference),
    readEvent: (headers, body, now) => readStripeEvent(options, { headers, body, now }),
  }
}
