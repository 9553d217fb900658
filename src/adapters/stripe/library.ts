// Stripe's library, loaded at the first payment: it costs 35 MB and 80 ms.
import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

const load = createRequire(import.meta.url)

/**
 * The version of Stripe's API that this adapter is written for; the webhook endpoint must be created with the same one.
 */
export const API_VERSION = '2026-10-28.endive'

export function stripeLibrary(): typeof Stripe {
  const library: typeof Stripe = load('stripe')
  return library
}
