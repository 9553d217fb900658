// Renewals of a subscription earn the affiliate of its order a commission each, and lose it by a refund.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { affiliateIn } from '#test/scenes/affiliates.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

it('one commission for each payment, however often it is reported', async () => {
  const { app, acme, buyer, stripe } = at
  const partner = await app.world.organization()
  const { id, code } = await affiliateIn(partner, { commission_rate: '10.00' })
  const payment = await bought(at, { affiliate_code: code })
  const path = `/orders/${payment.order_id}/subscription`
  await acme.staff.post(path, { interval: 'month' })
  await app.service.worker.drain()
  const { reference } = (await buyer.get(path)).data
  const subscription = stripe.subscriptions.get(reference)
  await sendEvent(at, 'invoice.paid', stripe.pay(subscription?.latest_invoice ?? ''))
  const referrals = async () =>
    (await partner.owner.get(`/affiliates/${id}/referrals`)).data.map(({ amount }: { amount: string }) => amount)
  expect(await referrals()).toEqual(['15.00'])
  for (let month = 0; month < 2; month++) {
    const renewal = stripe.renew(reference)
    for (let times = 0; times < 2; times++) await sendEvent(at, 'invoice.paid', renewal)
  }
  expect(await referrals()).toEqual(['15.00', '15.00', '15.00'])
  const [renewed] = (await buyer.get(`/invoices/order/${payment.order_id}`)).data
  const other = { currency: 'BRL', total: 100_00, order_id: payment.order_id, status: 'open' }
  await acme.staff.post(`/invoices/${(await acme.staff.post('/invoices', other)).data.id}/pay`, {})
  await app.service.worker.drain()
  expect([renewed.origin, await referrals()]).toEqual(['subscription', ['15.00', '15.00', '15.00']])
  expect(await deadLetters(app)).toEqual([])
})
