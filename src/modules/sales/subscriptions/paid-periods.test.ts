// What a subscription has paid for: the ends of entitlement, license and contract follow the paid periods, in whatever
// order payments and repeats arrive.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addMonths } from '#kernel/values/time/calendar.ts'
import { lastDay, type PaidPeriods, paidPeriods, seconds, secondsOf, ZONE } from '#test/scenes/paid-periods.ts'
import { sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'
import { becomes, begun } from '#test/scenes/subscriptions.ts'

let at: StripeScene
let paid: PaidPeriods
beforeAll(async () => {
  at = await stripeScene()
  paid = paidPeriods(at)
})
afterAll(() => at.close())

/** Its status, and whether its document is the archived one, once the jobs that archive have run. */
async function documentOf(id: number) {
  at.app.clock.advance(10)
  await at.app.service.worker.drain()
  const { status, headers } = await at.buyer.get(`/contracts/${id}/pdf`)
  expect(status).toBe(200)
  return { status: (await paid.contractOf(id)).status, isArchived: headers['repr-digest'] !== undefined }
}

describe('a payment', () => {
  it('pays for the period that the provider names, and the invoice shows it', async () => {
    const payment = await begun(at, 1)
    const period = { start: secondsOf(paid.after(1)), end: secondsOf(paid.after(2)) }
    await sendEvent(at, 'invoice.paid', paid.renewal(payment, period))
    const [second, first] = await paid.invoicesOf(payment)
    expect(second).toMatchObject({ origin: 'subscription', period_start: period.start, period_end: period.end })
    expect(first).toMatchObject({ origin: 'order', period_start: expect.any(String), period_end: expect.any(String) })
    expect(await paid.entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period.end })
    expect(await paid.licenseOf(payment)).toMatchObject({ status: 'active', expires_at: period.end })
  })
  it('pays for the next period where the provider names none, whenever it comes', async () => {
    const payment = await begun(at, 1)
    for (const invoice of [paid.renewal(payment), paid.renewal(payment)]) {
      for (const line of invoice.lines.data) delete line.period
      Object.assign(invoice.status_transitions, { paid_at: seconds(paid.after(7)) })
      await sendEvent(at, 'invoice.paid', invoice)
      await sendEvent(at, 'invoice.paid', invoice)
    }
    const periods = (await paid.invoicesOf(payment)).toReversed()
    const start = new Date(periods[0].period_start)
    const ends = [1, 2, 3].map((months) => addMonths(start, months, ZONE).toISOString())
    expect(periods.slice(1).map(({ period_end }) => period_end)).toEqual(ends.slice(1))
    expect(periods.slice(1).map(({ period_start }) => period_start)).toEqual(
      periods.slice(0, -1).map(({ period_end }) => period_end),
    )
    expect((await paid.entitlementOf(payment)).expires_at).toBe(ends[2])
  })
  it('of a longer interval than the term delivers for the interval', async () => {
    const payment = await begun(at, 1, 'year')
    const [{ period_end }] = await paid.invoicesOf(payment)
    expect(Date.parse(period_end)).toBeGreaterThan(Date.parse(paid.after(11)))
    expect(await paid.entitlementOf(payment)).toMatchObject({ expires_at: period_end })
    expect(await paid.licenseOf(payment)).toMatchObject({ expires_at: period_end })
  })
  it('never moves an end back: not that of a longer term, nor one that staff set', async () => {
    const payment = await begun(at, 12)
    const { expires_at } = await paid.entitlementOf(payment)
    await sendEvent(at, 'invoice.paid', paid.renewal(payment))
    expect((await paid.entitlementOf(payment)).expires_at).toBe(expires_at)
    await at.acme.staff.patch(`/entitlements/${payment.entitlement_id}`, { expires_at: paid.after(30) })
    await sendEvent(at, 'invoice.paid', paid.renewal(payment, { start: paid.after(24), end: paid.after(25) }))
    expect((await paid.entitlementOf(payment)).expires_at).toBe(paid.after(30))
  })
})

describe('a contract', () => {
  it('that ends with the entitlement follows it, and is warned of again; another keeps its term', async () => {
    const payment = await begun(at, 1)
    const [following, own, open] = [
      await paid.contractFor(payment),
      await paid.contractFor(payment, { end_date: addDays(lastDay(paid.after(1)), 3) }),
      await paid.contractFor(payment, { end_date: null }),
    ]
    await at.app.database.query('update contracts set warned_days = 1 where id = $1', [following])
    const end = secondsOf(paid.after(2))
    await sendEvent(at, 'invoice.paid', paid.renewal(payment, { start: paid.after(1), end }))
    expect(await paid.contractOf(following)).toMatchObject({ status: 'active', end_date: lastDay(end) })
    expect((await paid.contractOf(own)).end_date).toBe(addDays(lastDay(paid.after(1)), 3))
    expect((await paid.contractOf(open)).end_date).toBeNull()
    const marks = await at.app.database.query('select warned_days from contracts where id = $1', [following])
    expect(marks).toEqual([{ warned_days: null }])
  })
  it('that has expired with it is in force again when the payment comes late, or suspended again', async () => {
    const payment = await begun(at, 1)
    const [active, suspended] = [await paid.contractFor(payment), await paid.contractFor(payment)]
    await at.acme.staff.post(`/contracts/${suspended}/status`, { status: 'suspended' })
    await paid.makeOlder(payment, 40)
    // The next payment is late, and the entitlement waits for it.
    expect(await paid.entitlementOf(payment)).toMatchObject({ status: 'active', renews: true })
    for (const id of [active, suspended])
      expect(await documentOf(id)).toMatchObject({ status: 'expired', isArchived: true })
    const byStaff = await at.acme.staff.post(`/contracts/${active}/status`, { status: 'active' })
    expect(byStaff.status).toBe(409)
    const end = secondsOf(paid.after(1))
    await sendEvent(at, 'invoice.paid', paid.renewal(payment, { start: paid.after(0), end }))
    expect(await paid.entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: end })
    const last = { end_date: lastDay(end) }
    expect(await paid.contractOf(active)).toMatchObject({
      status: 'active',
      reinstated_at: expect.any(String),
      ...last,
    })
    expect(await paid.contractOf(suspended)).toMatchObject({
      status: 'suspended',
      reinstated_at: expect.any(String),
      ...last,
    })
    expect((await at.acme.staff.post(`/contracts/${suspended}/status`, { status: 'active' })).status).toBe(200)
    const history = (await at.buyer.get(`/contracts/${active}/history`)).data.at(-1)
    expect(history).toMatchObject({ from_status: 'expired', to_status: 'active' })
    // What is archived is its first end, which was not its last one.
    await paid.makeOlder(payment, 60)
    expect(await documentOf(active)).toMatchObject({ status: 'expired', isArchived: false })
  })
  it('without an end gets one together with the entitlement, when the subscription ends', async () => {
    const payment = await begun(at, null)
    const [open, own] = [await paid.contractFor(payment), await paid.contractFor(payment, { end_date: '2099-12-31' })]
    await becomes(at, payment.subscription, 'canceled')
    const [{ period_end }] = await paid.invoicesOf(payment)
    expect(await paid.entitlementOf(payment)).toMatchObject({ status: 'active', expires_at: period_end })
    expect(await paid.contractOf(open)).toMatchObject({ status: 'active', end_date: lastDay(period_end) })
    expect((await paid.contractOf(own)).end_date).toBe('2099-12-31')
  })
})
