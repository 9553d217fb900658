// A subscription that the provider ends: its order is cancelled, and the entitlements end with the paid time.
import { shifted } from '#test/harness/shifted.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import { becomes, begun, subscribe } from '#test/scenes/subscriptions.ts'
import type { Answer } from '#test/harness/world.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const orderOf = async ({ order_id }: Bought): Promise<Answer['data']> =>
  (await at.buyer.get(`/orders/${order_id}`)).data

/** Status and end of the entitlement. */
async function entitlementOf(payment: Bought): Promise<{ status: string; expires_at: string | null }> {
  const [{ id }] = (await orderOf(payment)).entitlements
  const { status, expires_at } = (await at.buyer.get(`/entitlements/${id}`)).data
  return { status, expires_at }
}
const licenseOf = async (payment: Bought) => {
  const [{ id }] = (await orderOf(payment)).entitlements
  return (await at.buyer.get(`/entitlements/${id}/licenses`)).data[0]
}

const DAY_MS = 86_400_000
/** The end of the latest period of the order's invoices. */
const paidUntil = async ({ order_id }: Bought): Promise<string> =>
  (await at.buyer.get(`/invoices/order/${order_id}`)).data[0].period_end

it('cancels a completed order, which nobody else can, and ends the entitlements after the paid month', async () => {
  const payment = await begun(at, null)
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: null })
  expect((await at.buyer.post(`/orders/${payment.order_id}/cancel`)).status).toBe(409)
  const byStaff = await at.acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'cancelled' })
  expect([byStaff.status, (await at.acme.staff.post(`/orders/${payment.order_id}/cancel`)).status]).toEqual([409, 409])
  await becomes(at, payment.subscription, 'canceled')
  const order = await orderOf(payment)
  const end = await paidUntil(payment)
  expect(order.status).toBe('cancelled')
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: end })
  expect(await licenseOf(payment)).toMatchObject({ status: 'active', expires_at: end })
  expect((await at.buyer.get(`/quotes/${payment.quote_id}`)).data.status).toBe('fulfilled')
  expect((await at.buyer.get(`/refunds?order_id=${payment.order_id}`)).data).toEqual([])
  const events = `select type from events where resource = 'order' and resource_id = $1 order by id desc limit 1`
  expect(await at.app.database.query(events, [order.id])).toEqual([{ type: 'titular/order/cancelled' }])
  // The same event again changes nothing.
  await becomes(at, payment.subscription, 'canceled')
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: end })
})

it('ends the entitlements at once when the paid month has passed', async () => {
  const payment = await begun(at, 12)
  for (const [table, id, column] of [
    ['invoices', 'order_id', 'paid_at'],
    ['invoices', 'order_id', 'period_start'],
    ['invoices', 'order_id', 'period_end'],
    ['orders', 'id', 'subscription_requested_at'],
  ] as const)
    await at.app.database.query(`update ${table} set ${column} = ${shifted(column, '- 40 days')} where ${id} = $1`, [
      payment.order_id,
    ])
  await becomes(at, payment.subscription, 'past_due')
  await becomes(at, payment.subscription, 'canceled')
  expect((await entitlementOf(payment)).status).toBe('expired')
  expect((await licenseOf(payment)).status).toBe('expired')
})

it('shortens a term that is paid monthly, not one that was paid at once before', async () => {
  const monthly = await begun(at, 12)
  await becomes(at, monthly.subscription, 'canceled')
  expect((await entitlementOf(monthly)).expires_at).toBe(await paidUntil(monthly))
  const payment = await bought(at)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
  const { expires_at } = await entitlementOf(payment)
  const reference = await subscribe(at, payment)
  await at.app.database.query(
    `update orders set subscription_requested_at = ${shifted('subscription_requested_at', '+ 1 day')} where id = $1`,
    [payment.order_id],
  )
  await becomes(at, reference, 'active')
  await becomes(at, reference, 'canceled')
  expect((await orderOf(payment)).status).toBe('cancelled')
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at })
})

it('counts a payment without a period as one for the interval that follows it', async () => {
  const payment = await begun(at, null)
  await at.app.database.query('update invoices set period_start = null, period_end = null where order_id = $1', [
    payment.order_id,
  ])
  await becomes(at, payment.subscription, 'canceled')
  const end = addMonths(new Date((await orderOf(payment)).date_paid), 1, 'America/Sao_Paulo').toISOString()
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: end })
})

it('cancels the entitlements when nothing was ever paid', async () => {
  const payment = await bought(at)
  const reference = await subscribe(at, payment)
  await at.app.database.query(
    `insert into entitlements (organization_id, code, class, product_name, company, order_id)
     values ($1, 'PLG-1999019999', 'PLG', 'Given in advance', 'entity_br', $2)`,
    [at.acme.id, payment.order_id],
  )
  await at.acme.staff.post(`/orders/${payment.order_id}/status`, { status: 'completed' })
  await becomes(at, reference, 'canceled')
  expect((await orderOf(payment)).status).toBe('cancelled')
  expect((await entitlementOf(payment)).status).toBe('cancelled')
})

it('waits until what was paid has been delivered', async () => {
  const payment = await bought(at)
  const reference = await subscribe(at, payment)
  const hold = () => at.app.database.query(`update jobs set dead_at = now() where kind = 'quotes/provision'`)
  const { latest_invoice = '' } = at.stripe.subscriptions.get(reference) ?? {}
  // Another entitlement has the code of the line, so that provisioning fails for now.
  await at.app.database.query(
    `insert into entitlements (organization_id, code, class, product_name, company)
     select organization_id, line_items -> 0 ->> 'entitlement_code', 'PLG', 'In the way', company from orders where id = $1`,
    [payment.order_id],
  )
  await sendEvent(at, 'invoice.paid', at.stripe.pay(latest_invoice))
  await hold()
  await becomes(at, reference, 'canceled')
  expect((await orderOf(payment)).status).toBe('processing')
  await at.app.database.query(`delete from entitlements where product_name = 'In the way'`)
  await at.app.database.query(`update jobs set dead_at = null where kind = 'quotes/provision'`)
  at.app.clock.advance(60)
  await at.app.service.worker.drain()
  at.app.clock.advance(60)
  await at.app.service.worker.drain()
  const order = await orderOf(payment)
  expect(order.status).toBe('cancelled')
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: await paidUntil(payment) })
})

it('counts a payment before the end whose event comes late or never', async () => {
  const payment = await begun(at, null)
  const { status_transitions } = at.stripe.renew(payment.subscription)
  status_transitions.paid_at = Math.floor((at.app.clock.now.getTime() + 20 * DAY_MS) / 1000)
  await becomes(at, payment.subscription, 'canceled')
  const order = await orderOf(payment)
  expect(order.status).toBe('cancelled')
  const [renewal] = (await at.buyer.get(`/invoices/order/${payment.order_id}`)).data
  expect(renewal).toMatchObject({ origin: 'subscription', status: 'paid' })
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: renewal.period_end })
  expect((await deadLetters(at.app)).map(({ kind }) => kind)).not.toContain('subscriptions/paid-after-end')
})

it('ends though a payment of it cannot be billed', async () => {
  const payment = await begun(at, null)
  at.stripe.renew(payment.subscription).amount_paid = 1
  await becomes(at, payment.subscription, 'canceled')
  expect((await orderOf(payment)).status).toBe('cancelled')
  const about = (await deadLetters(at.app)).filter(({ kind }) => kind === 'subscriptions/bill')
  expect(about).toHaveLength(1)
})

it('each payment extends an earlier end, and renews what has expired', async () => {
  const payment = await begun(at, 1)
  const first = (await entitlementOf(payment)).expires_at
  const pretend = (change: string) =>
    at.app.database.query(`update entitlements set ${change} where order_id = $1`, [payment.order_id])
  await pretend(`expires_at = ${shifted('expires_at', '- 20 days')}`)
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  const renewed = await entitlementOf(payment)
  expect(renewed.status).toBe('active')
  expect(Date.parse(renewed.expires_at ?? '')).toBeGreaterThan(Date.parse(first ?? '') - DAY_MS)
  await pretend(`expires_at = ${shifted('expires_at', '- 60 days')}, status = 'expired'`)
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  expect(await entitlementOf(payment)).toEqual({ status: 'active', expires_at: expect.any(String) })
  const longer = await begun(at, 12)
  const before = await entitlementOf(longer)
  await sendEvent(at, 'invoice.paid', at.stripe.renew(longer.subscription))
  expect(await entitlementOf(longer)).toEqual(before)
})

it('each payment extends an earlier end of the update period, also of what has no other end', async () => {
  const payment = await begun(at, null)
  const updates = async () => {
    const [{ id }] = (await orderOf(payment)).entitlements
    return (await at.buyer.get(`/entitlements/${id}`)).data.updates_until
  }
  const pretend = (updates_until: string) =>
    at.app.database.query('update entitlements set updates_until = $2 where order_id = $1', [
      payment.order_id,
      updates_until,
    ])
  await pretend('2026-01-01T00:00:00Z')
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  expect(await updates()).toBe(await paidUntil(payment))
  expect((await entitlementOf(payment)).expires_at).toBeNull()
  await pretend('2099-01-01T00:00:00Z')
  await sendEvent(at, 'invoice.paid', at.stripe.renew(payment.subscription))
  expect(await updates()).toBe('2099-01-01T00:00:00.000Z')
})
