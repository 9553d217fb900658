// Stripe's library, loaded at the first payment: a start need not wait for its 35 MB and 80 ms.
import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

const load = createRequire(import.meta.url)

/** What we ask for and what we were written for; the webhook endpoint has to be made with the same one. */
export const API_VERSION = '2026-10-28.endive'

export function stripeLibrary(): typeof Stripe {
  const library: typeof Stripe = load('stripe')
  return library
}
