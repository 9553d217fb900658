// What a subscription has paid for: the ends of entitlement, license and contract follow the paid periods, in whatever
// order payments, repeats and refunds arrive.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addMonths, dayIn } from '#kernel/values/calendar.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import { bought, type Bought, refunded, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, begun, expire, subscribe } from '#test/scenes/subscriptions.ts'
import type { Answer } from '#test/harness/world.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const ZONE = 'America/Sao_Paulo'
const lastDay = (end: string): string => dayIn(new Date(Date.parse(end) - 1), ZONE)
const after = (months: number): string => addMonths(at.app.clock.now, months, ZONE).toISOString()
const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000)
const secondsOf = (time: string): string => new Date(seconds(time) * 1000).toISOString()

const entitlementOf = async ({ entitlement_id: id }: Bought): Promise<Answer['data']> =>
  (await at.buyer.get(`/entitlements/${id}`)).data
const invoicesOf = async ({ order_id }: Bought): Promise<Answer['data'][]> =>
  (await at.buyer.get(`/invoices/order/${order_id}`)).data
const licenseOf = async ({ entitlement_id: id }: Bought) => (await at.buyer.get(`/entitlements/${id}/licenses`)).data[0]

/** Another interval at Stripe, which names its period. */
function renewal(payment: Bought, period?: { start: string; end: string }) {
  const invoice = at.stripe.renew(payment.subscription)
  const [line] = invoice.lines.data
  if (period && line) line.period = { start: seconds(period.start), end: seconds(period.end) }
  return invoice
}

/** A contract in force whose last day is the entitlement's. */
async function contractFor(payment: Bought, more: object = {}): Promise<number> {
  const { id: entitlement_id, expires_at } = await entitlementOf(payment)
  const end_date = expires_at === null ? null : lastDay(expires_at)
  const body = { title: 'Terms', start_date: '2020-01-01', end_date, entitlement_id, ...more }
  const { id } = (await at.acme.staff.post('/contracts', body)).data
  expect((await at.acme.staff.post(`/contracts/${id}/status`, { status: 'active' })).status).toBe(200)
  return id
}
const contractOf = async (id: number) => (await at.buyer.get(`/contracts/${id}`)).data

/** Its status, and whether its document is the archived one, once the jobs that archive have run. */
async function documentOf(id: number) {
  at.app.clock.advance(10)
  await at.app.service.worker.drain()
  const { status, headers } = await at.buyer.get(`/contracts/${id}/pdf`)
  expect(status).toBe(200)
  return { status: (await contractOf(id)).status, isArchived: headers['repr-digest'] !== undefined }
}

/** Refunds what Stripe's invoice has paid, and sends the event. */
async function refund(payment: Bought, reference: string): Promise<object> {
  const query = `select resource_id as id from payment_references where resource = 'invoice' and reference = $1`
  const [ours] = await at.app.database.query<{ id: number }>(query, [reference])
  const { object } = await refunded(at, { ...payment, invoice_id: ours?.id, reference }, '150.00')
  await sendEvent(at, 'refund.updated', object)
  return object
}

/** As if all of it had happened so many days before; then the jobs that expire run. */
async function makeOlder({ order_id, entitlement_id }: Bought, days: number): Promise<void> {
  const { query } = at.app.database
  await query(
    `update invoices set paid_at = paid_at - $2 * interval '1 day', period_start = period_start - $2 * interval '1 day',
            period_end = period_end - $2 * interval '1 day' where order_id = $1`,
    [order_id, days],
  )
  await query(
    `update orders set subscription_requested_at = subscription_requested_at - $2 * interval '1 day' where id = $1`,
    [order_id, days],
  )
  await query(`update entitlements set expires_at = expires_at - $2 * interval '1 day' where order_id = $1`, [
    order_id,
    days,
  ])
  await query(`update licenses set expires_at = expires_at - $2 * interval '1 day' where entitlement_id = $1`, [
    entitlement_id,
    days,
  ])
  await query('update contracts set end_date = end_date - $2::int where entitlement_id = $1', [entitlement_id, days])
  await expire(at)
}

describe('a payment', () => {
  it('pays for the period that the provider names, and the invoice shows it', async () => {
    const payment = await begun(at, 1)
    const period = { start: secondsOf(after(1)), end: secondsOf(after(2)) }
    await sendEvent(at, 'invoice.paid', renewal(payment, period))
    const [second, first] = await invoicesOf(payment)
    expect(second).toMatchObject({ origin: 'subscription', period_start: period.start, period_end: period.end })
    expect(first).toMatchObject({ origin: 'order', period_start: expect.any(String), period_end: expect.any(String) })
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period.end })
    expect(await licenseOf(payment)).toMatchObject({ status: 'active', expires_at: period.end })
  })
  it('pays for the next period where the provider names none, whenever it comes', async () => {
    const payment = await begun(at, 1)
    for (const invoice of [renewal(payment), renewal(payment)]) {
      for (const line of invoice.lines.data) delete line.period
      Object.assign(invoice.status_transitions, { paid_at: seconds(after(7)) })
      await sendEvent(at, 'invoice.paid', invoice)
      await sendEvent(at, 'invoice.paid', invoice)
    }
    const periods = (await invoicesOf(payment)).toReversed()
    const start = new Date(periods[0].period_start)
    const ends = [1, 2, 3].map((months) => addMonths(start, months, ZONE).toISOString())
    expect(periods.slice(1).map(({ period_end }) => period_end)).toEqual(ends.slice(1))
    expect(periods.slice(1).map(({ period_start }) => period_start)).toEqual(
      periods.slice(0, -1).map(({ period_end }) => period_end),
    )
    expect((await entitlementOf(payment)).expires_at).toBe(ends[2])
  })
  it('of a longer interval than the term delivers for the interval', async () => {
    const payment = await begun(at, 1, 'year')
    const [{ period_end }] = await invoicesOf(payment)
    expect(Date.parse(period_end)).toBeGreaterThan(Date.parse(after(11)))
    expect(await entitlementOf(payment)).toMatchObject({ expires_at: period_end })
    expect(await licenseOf(payment)).toMatchObject({ expires_at: period_end })
  })
  it('never moves an end back: not that of a longer term, nor one that staff set', async () => {
    const payment = await begun(at, 12)
    const { expires_at } = await entitlementOf(payment)
    await sendEvent(at, 'invoice.paid', renewal(payment))
    expect((await entitlementOf(payment)).expires_at).toBe(expires_at)
    await at.acme.staff.patch(`/entitlements/${payment.entitlement_id}`, { expires_at: after(30) })
    await sendEvent(at, 'invoice.paid', renewal(payment, { start: after(24), end: after(25) }))
    expect((await entitlementOf(payment)).expires_at).toBe(after(30))
  })
})

describe('a contract', () => {
  it('that ends with the entitlement follows it, and is warned of again; another keeps its term', async () => {
    const payment = await begun(at, 1)
    const [following, own, open] = [
      await contractFor(payment),
      await contractFor(payment, { end_date: addDays(lastDay(after(1)), 3) }),
      await contractFor(payment, { end_date: null }),
    ]
    await at.app.database.query('update contracts set warned_days = 1 where id = $1', [following])
    const end = secondsOf(after(2))
    await sendEvent(at, 'invoice.paid', renewal(payment, { start: after(1), end }))
    expect(await contractOf(following)).toMatchObject({ status: 'active', end_date: lastDay(end) })
    expect((await contractOf(own)).end_date).toBe(addDays(lastDay(after(1)), 3))
    expect((await contractOf(open)).end_date).toBeNull()
    const marks = await at.app.database.query('select warned_days from contracts where id = $1', [following])
    expect(marks).toEqual([{ warned_days: null }])
  })
  it('that has expired with it is in force again when the payment comes late, or suspended again', async () => {
    const payment = await begun(at, 1)
    const [active, suspended] = [await contractFor(payment), await contractFor(payment)]
    await at.acme.staff.post(`/contracts/${suspended}/status`, { status: 'suspended' })
    await makeOlder(payment, 40)
    // The next payment is late, and the entitlement waits for it.
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', renews: true })
    for (const id of [active, suspended])
      expect(await documentOf(id)).toMatchObject({ status: 'expired', isArchived: true })
    const byStaff = await at.acme.staff.post(`/contracts/${active}/status`, { status: 'active' })
    expect(byStaff.status).toBe(409)
    const end = secondsOf(after(1))
    await sendEvent(at, 'invoice.paid', renewal(payment, { start: after(0), end }))
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end })
    const last = { end_date: lastDay(end) }
    expect(await contractOf(active)).toMatchObject({ status: 'active', reinstated_at: expect.any(String), ...last })
    expect(await contractOf(suspended)).toMatchObject({
      status: 'suspended',
      reinstated_at: expect.any(String),
      ...last,
    })
    expect((await at.acme.staff.post(`/contracts/${suspended}/status`, { status: 'active' })).status).toBe(200)
    const history = (await at.buyer.get(`/contracts/${active}/history`)).data.at(-1)
    expect(history).toMatchObject({ from_status: 'expired', to_status: 'active' })
    // What is archived is its first end, which was not its last one.
    await makeOlder(payment, 60)
    expect(await documentOf(active)).toMatchObject({ status: 'expired', isArchived: false })
  })
  it('without an end gets one together with the entitlement, when the subscription ends', async () => {
    const payment = await begun(at, null)
    const [open, own] = [await contractFor(payment), await contractFor(payment, { end_date: '2099-12-31' })]
    await becomes(at, payment.subscription, 'canceled')
    const [{ period_end }] = await invoicesOf(payment)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period_end })
    expect(await contractOf(open)).toMatchObject({ status: 'active', end_date: lastDay(period_end) })
    expect((await contractOf(own)).end_date).toBe('2099-12-31')
  })
})

describe('a refund', () => {
  it('in full takes the period back, with all that ends with it; once, however often it is reported', async () => {
    const payment = await begun(at, 1)
    const second = renewal(payment)
    await sendEvent(at, 'invoice.paid', second)
    const contract = await contractFor(payment)
    const [, { period_end }] = await invoicesOf(payment)
    const reported = await refund(payment, second.id)
    await sendEvent(at, 'refund.updated', reported)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period_end })
    expect(await licenseOf(payment)).toMatchObject({ status: 'active', expires_at: period_end })
    expect(await contractOf(contract)).toMatchObject({ status: 'active', end_date: lastDay(period_end) })
    expect((await at.buyer.get(`/orders/${payment.order_id}`)).data.status).toBe('completed')
  })
  it('of time that has passed expires what it paid for', async () => {
    const payment = await begun(at, 1)
    const second = renewal(payment)
    await sendEvent(at, 'invoice.paid', second)
    const contract = await contractFor(payment)
    await makeOlder(payment, 40)
    await refund(payment, second.id)
    const [, { period_end }] = await invoicesOf(payment)
    expect(await entitlementOf(payment)).toMatchObject({ status: 'expired', expires_at: period_end })
    expect(await licenseOf(payment)).toMatchObject({ status: 'expired', expires_at: period_end })
    expect(await contractOf(contract)).toMatchObject({ end_date: lastDay(period_end) })
  })
  it('without an invoice is of the latest period; in part, or of a period before it, it takes nothing', async () => {
    const payment = await begun(at, 1)
    const [second, third] = [renewal(payment), renewal(payment)]
    for (const invoice of [second, third]) await sendEvent(at, 'invoice.paid', invoice)
    const { expires_at } = await entitlementOf(payment)
    expect((await at.buyer.post(`/orders/${payment.order_id}/refund`, { amount: '20' })).status).toBe(200)
    await at.app.service.worker.drain()
    const [latest] = await invoicesOf(payment)
    expect(latest.period_end).toBe(expires_at)
    expect((await at.buyer.get(`/refunds?order_id=${payment.order_id}`)).data).toMatchObject([
      { invoice_id: latest.id },
    ])
    await refund(payment, second.id)
    expect((await entitlementOf(payment)).expires_at).toBe(expires_at)
  })
  it('leaves the term that was paid at once before the subscription', async () => {
    const payment = await bought(at, { line_items: [{ ...LICENSE_LINE, term_months: 3 }] })
    await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
    const [{ id: entitlement_id }] = (await at.buyer.get(`/orders/${payment.order_id}`)).data.entitlements
    const subscription = await subscribe(at, payment)
    const charged = { ...payment, entitlement_id, subscription }
    const later = `update orders set subscription_requested_at = now() + interval '1 day' where id = $1`
    await at.app.database.query(later, [payment.order_id])
    const sold = Date.parse((await entitlementOf(charged)).expires_at)
    const all = [2, 3].map((nth) => renewal(charged, { start: after(nth), end: after(nth + 1) }))
    for (const invoice of all) await sendEvent(at, 'invoice.paid', invoice)
    expect(Date.parse((await entitlementOf(charged)).expires_at)).toBeGreaterThan(sold + 20 * 86_400_000)
    for (const { id } of all) await refund(charged, id)
    const { status, expires_at } = await entitlementOf(charged)
    expect([status, expires_at.slice(0, 10)]).toEqual(['active', new Date(sold).toISOString().slice(0, 10)])
  })
  it('leaves an end that staff set', async () => {
    const payment = await begun(at, 1)
    const second = renewal(payment)
    await sendEvent(at, 'invoice.paid', second)
    const expires_at = after(30)
    await at.acme.staff.patch(`/entitlements/${payment.entitlement_id}`, { expires_at })
    await refund(payment, second.id)
    expect((await entitlementOf(payment)).expires_at).toBe(expires_at)
  })
})
