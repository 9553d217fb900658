// What an entitlement says of its status when a subscription brought it about.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const entitlementOf = async ({ order_id }: Bought) => {
  const { entitlements } = (await at.buyer.get(`/orders/${order_id}`)).data
  return (await at.buyer.get(`/entitlements/${entitlements[0].id}`)).data
}
async function subscribe({ order_id }: Bought): Promise<string> {
  const path = `/orders/${order_id}/subscription`
  expect((await at.acme.staff.post(path, { interval: 'month' })).status).toBe(201)
  await at.app.service.worker.drain()
  return (await at.buyer.get(path)).data.reference
}

it('is renewed when an expired one is paid for again', async () => {
  const payment = await bought(at)
  const reference = await subscribe(payment)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(at.stripe.subscriptions.get(reference)?.latest_invoice ?? ''))
  await at.app.database.query(
    `update entitlements set status = 'expired', status_reason_code = 'expired', expires_at = now() - interval '1 day'
      where order_id = $1`,
    [payment.order_id],
  )
  await sendEvent(at, 'invoice.paid', at.stripe.renew(reference))
  expect(await entitlementOf(payment)).toMatchObject({
    status: 'active',
    status_reason_code: 'renewed',
    status_reason: null,
  })
})

it('is subscription_ended when the provider ended it and nothing was ever paid', async () => {
  const payment = await bought(at)
  const reference = await subscribe(payment)
  await at.app.database.query(
    `insert into entitlements (organization_id, code, class, product_name, company, order_id)
     values ($1, 'PLG-1999019999', 'PLG', 'Given in advance', 'entity_br', $2)`,
    [at.acme.id, payment.order_id],
  )
  await at.acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'completed' })
  const ended = Object.assign(at.stripe.subscriptions.get(reference) ?? {}, { status: 'canceled' })
  await sendEvent(at, 'customer.subscription.deleted', ended)
  expect(await entitlementOf(payment)).toMatchObject({
    status: 'cancelled',
    status_reason_code: 'subscription_ended',
  })
})
