// A charge of a subscription that failed at Stripe's stand-in: mailed once for each attempt, with where to pay.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const failures = async () =>
  (await mailsTo(at.app, at.acme.owner.email)).filter(({ subject }) => subject.startsWith('The charge for order'))

/** An order with a subscription whose first period is paid. */
async function charged(): Promise<{ path: string; reference: string }> {
  const { order_id } = await bought(at)
  const path = `/orders/${order_id}/subscription`
  await at.acme.staff.post(path, { interval: 'month' })
  await at.app.service.worker.drain()
  const { reference } = (await at.buyer.get(path)).data
  await sendEvent(at, 'invoice.paid', at.stripe.pay(at.stripe.subscriptions.get(reference)?.latest_invoice ?? ''))
  await sendEvent(at, 'customer.subscription.updated', { ...at.stripe.subscriptions.get(reference) })
  return { path, reference }
}

it('is mailed once for each attempt, whatever is repeated, and not when it was paid meanwhile', async () => {
  const { path, reference } = await charged()
  const before = (await failures()).length
  const invoice = at.stripe.failRenewal(reference)
  for (let times = 0; times < 2; times++) await sendEvent(at, 'invoice.payment_failed', { ...invoice })
  const mails = (await failures()).slice(before)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(invoice.hosted_invoice_url)
  expect((await at.buyer.get(path)).data.checkout_url).toBe(invoice.hosted_invoice_url)
  Object.assign(invoice, { attempt_count: invoice.attempt_count + 1 })
  await sendEvent(at, 'invoice.payment_failed', { ...invoice })
  expect(await failures()).toHaveLength(before + 2)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(invoice.id))
  await sendEvent(at, 'invoice.payment_failed', { ...invoice, status: 'open' })
  await sendEvent(at, 'customer.subscription.updated', { ...at.stripe.subscriptions.get(reference) })
  expect(await failures()).toHaveLength(before + 2)
  expect((await at.buyer.get(path)).data).toMatchObject({ status: 'active', order_status: 'completed' })
  expect(await deadLetters(at.app)).toEqual([])
})

it('is not mailed for an order that has ended', async () => {
  const { path, reference } = await charged()
  const before = (await failures()).length
  const invoice = at.stripe.failRenewal(reference)
  const ended = Object.assign(at.stripe.subscriptions.get(reference) ?? {}, { status: 'canceled' })
  await sendEvent(at, 'customer.subscription.deleted', { ...ended })
  await sendEvent(at, 'invoice.payment_failed', { ...invoice })
  expect((await at.buyer.get(path)).data.order_status).toBe('cancelled')
  expect(await failures()).toHaveLength(before)
})
