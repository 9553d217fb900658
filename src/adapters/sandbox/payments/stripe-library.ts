// Stripe's library, loaded when the first event is signed or checked: most starts need not pay its 35 MB and 80 ms.
import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

const load = createRequire(import.meta.url)

export function stripeLibrary(): typeof Stripe {
  const library: typeof Stripe = load('stripe')
  return library
}
