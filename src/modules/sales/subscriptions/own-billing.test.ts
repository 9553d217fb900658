// Orders that the service itself bills again: what is invoiced, when, and what follows a payment, a refund, a void invoice.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buyerOf, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { advance, clockPath } from '#test/scenes/test-clock.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import {
  before,
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pathOf,
  pay,
  refund,
  type Sale,
  SETUP,
  sleepUntil,
  sold,
  subscriptionOf,
  work,
  YEARLY,
  ZONE,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
// One for each: otherwise the sales of the tests before would be billed on.
beforeEach(async () => void (at = await billingScene()))
afterEach(() => at.app.close())

const lastOf = async (sale: Sale) => (await invoicesOf(at, sale)).at(-1)

describe('an order with lines that are billed again', () => {
  it('is billed for all lines first, then for these only, 14 days before each period', async () => {
    const sale = await sold(at, [SETUP, MONTHLY])
    const [first] = await invoicesOf(at, sale)
    expect(first).toMatchObject({ origin: 'order', total: '405.00', period_end: later(first.period_start, 1) })
    expect(await subscriptionOf(at, sale)).toMatchObject({
      status: 'active',
      collection_method: 'send_invoice',
      interval: 'month',
      amount: '105.00',
      reference: null,
      invoiced_until: first.period_end,
      next_invoice_at: before(first.period_end, 14).toISOString(),
    })
    await goTo(at, before(first.period_end, 14.01))
    expect(await invoicesOf(at, sale)).toHaveLength(1)
    await goTo(at, before(first.period_end, 14))
    await work(at)
    const [, second, ...others] = await invoicesOf(at, sale)
    expect(others).toEqual([])
    expect(second).toMatchObject({
      status: 'open',
      origin: 'subscription',
      number: expect.stringMatching(/^BR-\d{6}$/),
      subtotal: '100.00',
      discount_total: '0.00',
      tax_total: '5.00',
      total: '105.00',
      amount_due: '105.00',
      line_items: [{ product_name: 'Backup', quantity: 2, interval: 'month' }],
      period_start: first.period_end,
      period_end: later(first.period_start, 2),
      due_date: dayIn(new Date(first.period_end), ZONE),
      issue_date: dayIn(at.app.clock.now, ZONE),
    })
  })
  it('delivers what is paid: the recurring line to the end of its period, the other as it was sold', async () => {
    const sale = await sold(at, [{ ...SETUP, term_months: 1 }, MONTHLY])
    const [first] = await invoicesOf(at, sale)
    const [once, again] = await entitlementsOf(at, sale)
    expect(again.expires_at).toBe(first.period_end)
    await goTo(at, before(first.period_end, 14))
    await pay(at, (await lastOf(sale)).id)
    const [sameOnce, extended] = await entitlementsOf(at, sale)
    expect([sameOnce.expires_at, extended.expires_at]).toEqual([once.expires_at, later(first.period_start, 2)])
    const [license] = (await at.buyer.get(`/entitlements/${extended.id}/licenses`)).data
    expect(license.expires_at).toBe(extended.expires_at)
  })
  it('is delivered through the grace of a period that is not paid, not after it, and again once it is', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 14))
    await goTo(at, period_end)
    const [{ suspends_at, ...waiting }] = await entitlementsOf(at, sale)
    expect(waiting).toMatchObject({ status: 'active', expires_at: period_end, renews: true })
    await goTo(at, suspends_at)
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'suspended', expires_at: period_end })
    // After a short month the invoice of the period behind it is there already.
    const [, open] = await invoicesOf(at, sale)
    await pay(at, open.id)
    expect((await entitlementsOf(at, sale))[0]).toMatchObject({ status: 'active', expires_at: open.period_end })
  })
  it('gets both invoices, in order, after two months in which no job ran; these have time to be paid', async () => {
    const sale = await sold(at)
    const [first] = await invoicesOf(at, sale)
    await goTo(at, before(later(first.period_start, 3), 15))
    const [, second, third, ...others] = await invoicesOf(at, sale)
    expect(others).toEqual([])
    expect([second.period_start, third.period_start]).toEqual([first.period_end, later(first.period_start, 2)])
    expect(second.number < third.number && third.period_end === later(first.period_start, 3)).toBe(true)
    expect(second.due_date).toBe(dayIn(before(at.app.clock.now.toISOString(), -7), ZONE))
  })
  it('gets one invoice from two jobs at once', async () => {
    const sale = await sold(at)
    const [first] = await invoicesOf(at, sale)
    await sleepUntil(at, before(first.period_end, 1))
    await at.app.database.query(
      `insert into jobs (kind, run_at) select 'subscriptions/bill-orders', $1 from generate_series(1, 4)`,
      [at.app.clock.now],
    )
    await Promise.all([1, 2, 3].map(() => at.app.service.worker.drain()))
    expect(await invoicesOf(at, sale)).toHaveLength(2)
  })
  it('is billed by the days of its organization', async () => {
    const path = `/organizations/${at.acme.id}`
    expect((await at.acme.staff.put(path, { renewal_invoice_days: 3 })).status).toBe(200)
    const sale = await sold(at, [YEARLY])
    const { invoiced_until, next_invoice_at } = await subscriptionOf(at, sale)
    expect(next_invoice_at).toBe(before(invoiced_until, 3).toISOString())
    expect((await at.acme.owner.put(path, { renewal_invoice_days: 3 })).status).toBe(422)
    await at.acme.staff.put(path, { renewal_invoice_days: null })
  })
})

describe('a renewal’s invoice', () => {
  it('that staff void is not made again; the next one is', async () => {
    const sale = await sold(at)
    const [{ period_start, period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    expect((await at.acme.staff.post(`/invoices/${(await lastOf(sale)).id}/void`)).status).toBe(200)
    await goTo(at, before(period_end, 5))
    expect((await invoicesOf(at, sale)).map(({ status }) => status)).toEqual(['paid', 'void'])
    await goTo(at, before(later(period_start, 2), 10))
    expect(await lastOf(sale)).toMatchObject({ status: 'open', period_start: later(period_start, 2) })
  })
  it('that is refunded takes its period back', async () => {
    const sale = await sold(at)
    const [first] = await invoicesOf(at, sale)
    await goTo(at, before(first.period_end, 10))
    await pay(at, (await lastOf(sale)).id)
    await refund(at, sale, '105.00')
    expect((await lastOf(sale)).payment_status).toBe('refunded')
    expect((await entitlementsOf(at, sale))[0].expires_at).toBe(first.period_end)
  })
  it('has the organization’s address as of now', async () => {
    const sale = await sold(at)
    await at.acme.owner.put(`/organizations/${at.acme.id}`, { legal_name: 'Acme Renovada SA' })
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    expect((await lastOf(sale)).billing.legal_name).toBe('Acme Renovada SA')
  })
})

describe('periods', () => {
  it('after a term that was sold on the 31st are counted from that day', async () => {
    const acme = await at.app.world.organization()
    const scene = { ...at, acme, buyer: await buyerOf(acme) }
    await sleepUntil(scene, at.app.clock.now)
    expect((await acme.staff.post(clockPath(acme), { now: '2023-01-31T12:00:00.000Z' })).status).toBe(201)
    const sale = await sold(scene, [{ ...LICENSE_LINE, term_months: 1 }])
    const asked = { collection_method: 'send_invoice', interval: 'month' }
    expect((await acme.staff.post(pathOf(sale), asked)).status).toBe(201)
    await advance(at.app, acme, '2023-05-20T12:00:00.000Z')
    const ends = (await invoicesOf(scene, sale)).flatMap(({ period_end }) => period_end ?? [])
    expect(ends.map((end) => end.slice(0, 10))).toEqual(['2023-03-31', '2023-04-30', '2023-05-31', '2023-06-30'])
  })
  it.each([
    ['month', '2027-01-31', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
    ['year', '2028-02-29', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ])('by the %s from %s', async (interval, day, ends) => {
    await goTo(at, `${day}T12:00:00Z`)
    const sale = await sold(at, [{ ...MONTHLY, interval }])
    for (const end of ends.slice(0, -1)) {
      await goTo(at, `${end}T11:59:59Z`)
      await pay(at, (await lastOf(sale)).id)
    }
    const all = await invoicesOf(at, sale)
    expect(all.map(({ period_end }) => period_end.slice(0, 10))).toEqual(ends)
    expect((await entitlementsOf(at, sale))[0].expires_at).toBe(all.at(-1).period_end)
  })
})
