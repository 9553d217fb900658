// Where the vendor does not bill without access: billing stops with the suspension, and begins anew with the payment.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer } from '#test/harness/world.ts'
import {
  before,
  type BillingScene,
  billingScene,
  DAY_MS,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pathOf,
  pay,
  refundInvoice,
  type Sale,
  sleepUntil,
  sold,
  subscriptionOf,
  work,
  YEARLY,
} from '#test/scenes/own-billing.ts'

const STEPS = { reminder_days: [1], grace_days: 15, suspends: true }
const STOPS = { ...STEPS, bills_without_access: false }

let at: BillingScene
beforeAll(async () => {
  at = await billingScene()
  // The invoice of the third month is made before the second one is suspended.
  await at.acme.staff.put(`/organizations/${at.acme.id}`, { renewal_invoice_days: 20 })
})
afterAll(() => at.app.close())
beforeEach(() => set(STOPS))

function set(schedule: object): Promise<Answer> {
  return at.acme.staff.put('/admin/dunning/entity_br', { schedule })
}
const inDays = (days: number): Date => new Date(at.app.clock.now.getTime() + days * DAY_MS)
const statesOf = async (sale: Sale) => (await invoicesOf(at, sale)).map(({ status }) => status)
const entitlementOf = async (sale: Sale) => (await entitlementsOf(at, sale))[0]

/** One period is paid; the second one has begun 17 days ago, and what it pays for is suspended. */
async function inArrears(line: object = MONTHLY): Promise<{ sale: Sale; unpaid: Answer['data'] }> {
  const sale = await sold(at, [line])
  const [{ period_end }] = await invoicesOf(at, sale)
  await goTo(at, before(period_end, 10))
  for (const day of [2, 14, 17]) await goTo(at, before(period_end, -day))
  const [, unpaid] = await invoicesOf(at, sale)
  expect(await entitlementOf(sale)).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
  return { sale, unpaid }
}

describe('billing without access', () => {
  it('stops with the suspension, as mails have said; what has begun stays owed, and nothing is added', async () => {
    const { sale, unpaid } = await inArrears()
    expect(await subscriptionOf(at, sale)).toMatchObject({
      status: 'paused',
      paused_by: 'arrears',
      next_invoice_at: null,
      invoiced_until: unpaid.period_end,
    })
    const mails = await mailsTo(at.app, at.acme.owner.email)
    const textOf = (subject: string): string => mails.find((mail) => mail.subject.startsWith(subject))?.text ?? ''
    expect(textOf(`Invoice ${unpaid.number} is overdue`)).toMatch(/From .* on we make no further invoices/)
    expect(textOf('Suspended for an overdue payment')).toContain('Until then we make no further invoices')
    for (let month = 0; month < 4; month++) await goTo(at, inDays(30))
    // That of the third month was made before the suspension, for a time after it.
    expect(await statesOf(sale)).toEqual(['paid', 'open', 'void'])
    expect(await entitlementOf(sale)).toMatchObject({ status: 'suspended', renews: true })
  })

  it('begins anew on the day of the payment, also in parts: its payment is awaited in the grace', async () => {
    const { sale, unpaid } = await inArrears()
    await goTo(at, inDays(60))
    await at.acme.staff.post(`/invoices/${unpaid.id}/pay`, { amount: '5.00' })
    await work(at)
    expect((await subscriptionOf(at, sale)).status).toBe('paused')
    await pay(at, unpaid.id)
    await work(at)
    const now = at.app.clock.now.toISOString()
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', paused_by: null })
    const [, , , made, ...more] = await invoicesOf(at, sale)
    expect(more).toEqual([])
    expect(made).toMatchObject({ status: 'open', period_start: now, period_end: later(now, 1) })
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: now, renews: true })
    await pay(at, made.id)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: made.period_end })
    await goTo(at, before(made.period_end, 10))
    expect((await invoicesOf(at, sale)).at(-1)).toMatchObject({ status: 'open', period_start: made.period_end })
  })

  it('stops again, and begins again', async () => {
    const { sale, unpaid } = await inArrears()
    await pay(at, unpaid.id)
    await work(at)
    const again = (await invoicesOf(at, sale)).at(-1)
    expect([again.status, again.period_start]).toEqual(['open', unpaid.period_end])
    await goTo(at, before(again.period_start, -17))
    expect((await subscriptionOf(at, sale)).paused_by).toBe('arrears')
    await goTo(at, inDays(200))
    await pay(at, again.id)
    await work(at)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: at.app.clock.now.toISOString() })
    expect(await statesOf(sale)).toEqual(['paid', 'paid', 'void', 'paid', 'void', 'open'])
  })

  it('goes on within a year that was invoiced: it is paid as a whole, and the days stay', async () => {
    const { sale, unpaid } = await inArrears(YEARLY)
    await goTo(at, inDays(90))
    await pay(at, unpaid.id)
    await work(at)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: unpaid.period_end })
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', invoiced_until: unpaid.period_end })
    expect(await statesOf(sale)).toEqual(['paid', 'paid'])
  })

  it.each([
    ['void', (id: number) => at.acme.staff.post(`/invoices/${id}/void`), 'void'],
    ['credited', (id: number) => at.acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Goodwill' }), 'void'],
  ])('begins anew where the debt is %s', async (_, settle, state) => {
    const { sale, unpaid } = await inArrears()
    await settle(unpaid.id)
    await at.app.service.worker.drain()
    await work(at)
    const now = at.app.clock.now.toISOString()
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: now })
    const [, old, , made] = await invoicesOf(at, sale)
    expect([old.status, made.period_start]).toEqual([state, now])
  })

  it('stays stopped for what staff have given up, until that is paid', async () => {
    const { sale, unpaid } = await inArrears()
    await at.acme.staff.post(`/invoices/${unpaid.id}/mark-uncollectible`)
    await goTo(at, inDays(40))
    expect((await subscriptionOf(at, sale)).paused_by).toBe('arrears')
    await pay(at, unpaid.id)
    await work(at)
    expect((await subscriptionOf(at, sale)).status).toBe('active')
  })

  it('is no customer’s to resume; staff do, and staff who pause it make it theirs', async () => {
    await at.acme.staff.put(`/organizations/${at.acme.id}`, { self_service: ['pause', 'cancel'] })
    const { sale, unpaid } = await inArrears()
    const refused = await at.buyer.post(`${pathOf(sale)}/resume`)
    expect([refused.status, refused.errors?.reason, refused.message]).toEqual([
      403,
      'no_self_service',
      expect.stringContaining('when that is paid'),
    ])
    expect((await at.buyer.post(`${pathOf(sale)}/pause`)).status).toBe(409)
    expect((await at.acme.staff.post(`${pathOf(sale)}/pause`)).data.paused_by).toBe('vendor')
    await pay(at, unpaid.id)
    await work(at)
    expect((await subscriptionOf(at, sale)).status).toBe('paused')
    const { sale: other } = await inArrears()
    expect((await at.acme.staff.post(`${pathOf(other)}/resume`)).data).toMatchObject({ status: 'active' })
    await work(at)
    expect((await entitlementOf(other)).status).toBe('suspended')
    expect((await subscriptionOf(at, other)).status).toBe('active')
  })

  it('takes back what was billed for the time without access while the worker was down', async () => {
    const sale = await sold(at)
    const [{ period_end, period_start }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    await sleepUntil(at, later(period_start, 5))
    await work(at)
    const all = await invoicesOf(at, sale)
    expect(all.map(({ status }) => status).filter((status) => status === 'open')).toEqual(['open'])
    expect(all[1]).toMatchObject({ status: 'open', period_start: period_end })
    expect(await subscriptionOf(at, sale)).toMatchObject({ paused_by: 'arrears', invoiced_until: all[1].period_end })
  })

  it('goes on for what may be used still, of another class, and with a hold that restores it', async () => {
    await set({ ...STOPS, classes: { ENV: { ...STEPS, suspends: false } } })
    const lines = [MONTHLY, { ...MONTHLY, product_name: 'Hosting', entitlement_class: 'ENV' }]
    const both = await sold(at, lines)
    const [{ period_end }] = await invoicesOf(at, both)
    await goTo(at, before(period_end, 10))
    await goTo(at, before(period_end, -17))
    expect((await entitlementsOf(at, both)).map(({ status }) => status)).toEqual(['suspended', 'active'])
    expect((await subscriptionOf(at, both)).status).toBe('active')
    const { sale } = await inArrears()
    const until = inDays(300).toISOString().slice(0, 10)
    await at.acme.staff.put('/dunning/hold', { until, reason: 'Talks', restores: true })
    await work(at)
    expect((await entitlementOf(sale)).status).toBe('active')
    expect((await subscriptionOf(at, sale)).status).toBe('active')
    await at.acme.staff.delete('/dunning/hold')
    await work(at)
    expect((await subscriptionOf(at, sale)).paused_by).toBe('arrears')
  })

  it('follows a refund: of the debt after the return, and of all that was paid while it is stopped', async () => {
    const { sale, unpaid } = await inArrears()
    await goTo(at, inDays(40))
    await pay(at, unpaid.id)
    await work(at)
    await refundInvoice(at, sale, unpaid.id)
    expect((await entitlementOf(sale)).status).toBe('expired')
    const made = (await invoicesOf(at, sale)).at(-1)
    await pay(at, made.id)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: made.period_end })
    const other = await inArrears()
    await refundInvoice(at, other.sale, other.sale.invoice_id)
    await pay(at, other.unpaid.id)
    await work(at)
    expect((await subscriptionOf(at, other.sale)).status).toBe('canceled')
  })

  it('ends with the arrears, where the schedule cancels: a later payment brings nothing back', async () => {
    await set({ ...STOPS, ends: { after_days: 40, notice_days: 10, act: 'cancel' } })
    const { sale, unpaid } = await inArrears()
    for (let week = 0; week < 6; week++) await goTo(at, inDays(7))
    expect((await subscriptionOf(at, sale)).status).toBe('canceled')
    await pay(at, unpaid.id)
    await work(at)
    expect((await subscriptionOf(at, sale)).status).toBe('canceled')
    expect(await statesOf(sale)).toEqual(['paid', 'paid', 'void'])
  })

  it('is what it was without the setting', async () => {
    await set(STEPS)
    const { sale } = await inArrears()
    await goTo(at, inDays(40))
    expect((await subscriptionOf(at, sale)).status).toBe('active')
    expect((await statesOf(sale)).filter((status) => status === 'open').length).toBeGreaterThan(2)
  })
})

const fieldsOf = async (schedule: object) => Object.keys((await set(schedule)).errors?.fields ?? {})
describe('PUT /admin/dunning/{company}', () => {
  it('422 where nobody would be told before: each way of suspending has a reminder within its grace', async () => {
    expect(await fieldsOf({ ...STOPS, reminder_days: [-3, 20] })).toEqual(['schedule.reminder_days'])
    expect(await fieldsOf({ ...STOPS, grace_days: 0 })).toEqual(['schedule.reminder_days'])
    expect(await fieldsOf({ ...STOPS, classes: { ENV: { ...STEPS, reminder_days: [] } } })).toEqual([
      'schedule.classes.ENV.reminder_days',
    ])
    expect(await fieldsOf({ ...STOPS, reminder_days: [5], classes: { ENV: { ...STEPS, grace_days: 3 } } })).toEqual([
      'schedule.reminder_days',
    ])
    expect(await fieldsOf({ ...STOPS, reminder_days: [], suspends: false })).toEqual([])
    expect(await fieldsOf({ ...STOPS, bills_without_access: 'no' })).toEqual(['schedule.bills_without_access'])
  })
})
