// Orders that are charged automatically by Stripe's stand-in.
import { expect } from 'vitest'
import { LICENSE_LINE } from './commerce.ts'
import { bought, type Bought, type StripeScene, sendEvent } from './stripe.ts'

export const subscriptionPath = ({ order_id }: Bought): string => `/orders/${order_id}/subscription`

/** Requests a subscription and lets it be created; gives Stripe's id. */
export async function subscribe(at: StripeScene, payment: Bought, interval = 'month'): Promise<string> {
  const path = subscriptionPath(payment)
  expect((await at.acme.staff.post(path, { interval })).status).toBe(201)
  await at.app.service.worker.drain()
  return (await at.buyer.get(path)).data.reference
}

/** Changes the status at Stripe and sends the event. */
export async function becomes(at: StripeScene, reference: string, status: string): Promise<void> {
  const subscription = Object.assign(at.stripe.subscriptions.get(reference) ?? {}, { status })
  await sendEvent(at, `customer.subscription.${status === 'canceled' ? 'deleted' : 'updated'}`, subscription)
}

/** Runs the jobs that expire what has ended. */
export async function expire({ app }: StripeScene): Promise<void> {
  const kinds = ['entitlements/expire', 'licenses/expire', 'contracts/expire']
  await app.database.query('insert into jobs (kind, run_at) select unnest($1::text[]), $2', [kinds, app.clock.now])
  await app.service.worker.drain()
}

/** A subscription whose first payment paid the order. */
export async function begun(at: StripeScene, term_months: number | null, interval = 'month'): Promise<Bought> {
  const payment = await bought(at, { line_items: [{ ...LICENSE_LINE, term_months }] })
  const reference = await subscribe(at, payment, interval)
  const first = at.stripe.pay(at.stripe.subscriptions.get(reference)?.latest_invoice ?? '')
  await sendEvent(at, 'invoice.paid', first)
  await becomes(at, reference, 'active')
  const { status, entitlements } = (await at.buyer.get(`/orders/${payment.order_id}`)).data
  expect(status).toBe('completed')
  return { ...payment, subscription: reference, first, entitlement_id: entitlements[0].id }
}

/** An order with a subscription, whose first payment is awaited. */
export async function requested(at: StripeScene, body: object = { interval: 'month' }): Promise<Bought> {
  const payment = await bought(at)
  const path = subscriptionPath(payment)
  expect((await at.acme.staff.post(path, body)).status).toBe(201)
  await at.app.service.worker.drain()
  return { ...payment, subscription: (await at.buyer.get(path)).data.reference }
}

/** Pays the first invoice, which activates the subscription, and sends both events. */
export async function firstPaid(at: StripeScene, { subscription }: { subscription: string }): Promise<void> {
  const { latest_invoice = '' } = at.stripe.subscriptions.get(subscription) ?? {}
  await sendEvent(at, 'invoice.paid', at.stripe.pay(latest_invoice))
  await becomes(at, subscription, 'active')
}
