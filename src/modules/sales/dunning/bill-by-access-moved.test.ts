// Billing that had stopped goes on by a payment that was of another invoice, and is moved there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '#test/harness/world.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import {
  before,
  type BillingScene,
  billingScene,
  DAY_MS,
  entitlementsOf,
  goTo,
  invoicesOf,
  MONTHLY,
  pay,
  type Sale,
  sold,
  subscriptionOf,
  work,
  YEARLY,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => {
  at = await billingScene()
  await at.acme.staff.put(`/organizations/${at.acme.id}`, { renewal_invoice_days: 20 })
  const schedule = { reminder_days: [1], grace_days: 15, suspends: true, bills_without_access: false }
  await at.acme.staff.put('/admin/dunning/entity_br', { schedule })
})
afterAll(() => at.app.close())

const inDays = (days: number): Date => new Date(at.app.clock.now.getTime() + days * DAY_MS)
const statesOf = async (sale: Sale) => (await invoicesOf(at, sale)).map(({ status }) => status)
const entitlementOf = async (sale: Sale) => (await entitlementsOf(at, sale))[0]

async function inArrears(line: object): Promise<{ sale: Sale; unpaid: Answer['data'] }> {
  const sale = await sold(at, [line])
  const [{ period_end }] = await invoicesOf(at, sale)
  await goTo(at, before(period_end, 10))
  for (const day of [2, 14, 17]) await goTo(at, before(period_end, -day))
  const [, unpaid] = await invoicesOf(at, sale)
  return { sale, unpaid }
}

/** Moves the latest payment of the invoice to one that staff write. */
async function moveAway(id: number): Promise<void> {
  const [{ id: payment, amount, payment_date }] = (await at.acme.staff.get(`/invoices/${id}/payments`)).data
  const body = { company: 'entity_br', currency: 'BRL', total: amount, status: 'open' }
  const dates = { number: `M-${payment}`, issue_date: payment_date, due_date: payment_date }
  const right = await at.acme.staff.post('/invoices', { ...body, ...dates })
  expect(right.status, right.raw.body).toBe(201)
  const moved = await at.acme.staff.post(`/payments/${payment}/move`, { invoice_id: right.data.id })
  expect(moved.status, moved.raw.body).toBe(200)
}

describe('billing that went on by a payment that is moved away', () => {
  it('stops again after the grace, with what has begun meanwhile, and goes on when both are paid', async () => {
    const { sale, unpaid } = await inArrears(MONTHLY)
    await goTo(at, inDays(60))
    await pay(at, unpaid.id)
    await work(at)
    const made = (await invoicesOf(at, sale)).at(-1)
    await moveAway(unpaid.id)
    await work(at)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: made.period_start, renews: true })
    expect(await statesOf(sale)).toEqual(['paid', 'open', 'void', 'open'])
    for (let day = 0; day < 3; day++) await goTo(at, inDays(6))
    expect(await entitlementOf(sale)).toMatchObject({ status: 'suspended', status_reason_code: 'payment_overdue' })
    expect(await subscriptionOf(at, sale)).toMatchObject({ paused_by: 'arrears', invoiced_until: made.period_end })
    await goTo(at, inDays(60))
    expect((await statesOf(sale)).slice(0, 4)).toEqual(['paid', 'open', 'void', 'open'])
    expect((await statesOf(sale)).slice(4).filter((state) => state !== 'void')).toEqual([])
    await pay(at, made.id)
    await work(at)
    expect((await subscriptionOf(at, sale)).paused_by).toBe('arrears')
    await pay(at, unpaid.id)
    await work(at)
    expect((await subscriptionOf(at, sale)).status).toBe('active')
    expect(await deadLetters(at.app)).toEqual([])
  })

  it('goes back to the year that is paid, and to the one that is not once that is paid', async () => {
    const { sale, unpaid } = await inArrears(YEARLY)
    await goTo(at, inDays(90))
    await pay(at, unpaid.id)
    await work(at)
    await moveAway(unpaid.id)
    await work(at)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: unpaid.period_start, renews: true })
    for (let day = 0; day < 3; day++) await goTo(at, inDays(6))
    expect((await subscriptionOf(at, sale)).paused_by).toBe('arrears')
    await pay(at, unpaid.id)
    await work(at)
    expect(await entitlementOf(sale)).toMatchObject({ status: 'active', expires_at: unpaid.period_end })
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'active', invoiced_until: unpaid.period_end })
    expect(await statesOf(sale)).toEqual(['paid', 'paid'])
  })
})
