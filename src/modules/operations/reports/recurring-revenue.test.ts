// Recurring revenue: a sale over the months, and lives at random (with a fixed seed) against a plain count.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMonths, monthsFrom, startOfDay, monthsLater } from '#kernel/values/time/calendar.ts'
import { addRow } from '#test/scenes/records.ts'
import {
  type BillingScene,
  billingScene,
  goTo,
  invoicesOf,
  pay,
  sleepUntil,
  sold,
  YEARLY,
  MONTHLY,
  ZONE,
} from '#test/scenes/own-billing.ts'
import { lineOf } from '#test/scenes/paid-invoices.ts'
import type { Organization } from '#test/harness/world.ts'

type Row = Record<string, string>

let at: BillingScene
beforeAll(async () => {
  at = await billingScene()
})
afterAll(() => at.app.close())

const recurring = async (query: string): Promise<Row[]> =>
  (await at.acme.staff.get(`/admin/reports/recurring-revenue?${query}`)).data.rows
const cents = (amount: string | undefined): bigint => BigInt((amount ?? '').replace('.', ''))

describe('GET /admin/reports/recurring-revenue', () => {
  it('200 with a sale that is new, goes on, and churns', async () => {
    await sleepUntil(at, '2026-01-20T12:00:00Z')
    const sale = await sold(at, [MONTHLY])
    expect(await recurring('month_from=2026-01')).toMatchObject([
      { month: '2026-01', opening: '0.00', new: '100.00', closing: '100.00', customers: 1 },
    ])
    await goTo(at, '2026-03-01T12:00:00Z')
    await pay(at, (await invoicesOf(at, sale))[1].id)
    const cancelled = await at.acme.staff.post(`/orders/${sale.order_id}/subscription/cancel`, {})
    expect(cancelled.status, cancelled.raw.body).toBe(200)
    await goTo(at, '2026-04-02T12:00:00Z')
    expect(await recurring('month_from=2026-02')).toMatchObject([
      { month: '2026-02', opening: '100.00', new: '0.00', churn: '0.00', closing: '100.00' },
      { month: '2026-03', opening: '100.00', churn: '100.00', closing: '0.00', customers: 0 },
    ])
  })
  it('200 with a twelfth of a year a month, and a customer who comes back', async () => {
    await sold(at, [{ ...YEARLY, quantity: 1, unit_price: '100.00' }])
    expect(await recurring('month_from=2026-04')).toMatchObject([
      { month: '2026-04', opening: '0.00', new: '0.00', reactivation: '8.33', closing: '8.33' },
    ])
    expect(await recurring('month_from=2026-05&month_to=2026-06')).toEqual([])
  })
})

const MOVEMENTS = ['new', 'reactivation', 'expansion', 'contraction', 'churn']

/** Always the same numbers. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PAID = { status: 'paid', payment_status: 'paid', issue_date: '2024-01-01', due_date: '2024-01-01' }

type Period = { customer: number; order: number; start: Date; end: Date; cents: bigint; months: number }

/** Orders that begin, change their price, pause and come back, at some customers. */
async function lives(customers: readonly Organization[], roll: (below: number) => number): Promise<Period[]> {
  const periods: Period[] = []
  for (const [customer, { id: organization_id }] of customers.entries())
    for (let count = 1 + roll(3); count > 0; count--) {
      const months = roll(4) === 0 ? 12 : 1
      const line = { ...lineOf('PLG', '1.00'), interval: months === 1 ? 'month' : 'year' }
      const common = { organization_id, company: 'entity_br', currency: 'BRL', tax_total: '0.00' }
      const order = await addRow(at.app, 'orders', {
        ...common,
        total: '1.00',
        subtotal: '1.00',
        number: `R-${customer}-${count}`,
        line_items: JSON.stringify([line]),
      })
      let start = new Date(Date.UTC(2024, roll(12), 1 + roll(28), roll(24)))
      let price = BigInt(1000 + roll(90_000))
      for (let steps = 1 + roll(months === 1 ? 20 : 2); steps > 0; steps--) {
        if (roll(5) === 0) price = BigInt(1000 + roll(90_000))
        if (roll(9) === 0) start = addMonths(start, 1 + roll(4), ZONE)
        const end = addMonths(start, months, ZONE)
        const total = `${price / 100n}.${String(price % 100n).padStart(2, '0')}`
        const line_items = JSON.stringify([{ ...lineOf('PLG', total), interval: line.interval }])
        const period = { period_start: start, period_end: end, origin: 'subscription', order_id: order }
        await addRow(at.app, 'invoices', {
          ...common,
          ...period,
          ...PAID,
          total,
          amount_paid: total,
          line_items,
          number: `R-${order}-${steps}`,
        })
        periods.push({ customer, order, start, end, cents: price, months })
        start = end
      }
    }
  return periods
}

/** What runs at a moment, by customer: each period by the month, rounded half up. */
function runningAt(periods: readonly Period[], moment: Date): Map<number, bigint> {
  const found = new Map<number, bigint>()
  for (const { customer, start, end, cents: price, months } of periods)
    if (start < moment && end >= moment) {
      const monthly = (price * 2n + BigInt(months)) / (2n * BigInt(months))
      found.set(customer, (found.get(customer) ?? 0n) + monthly)
    }
  return found
}

describe('recurring revenue of lives at random', () => {
  it('closes each month with what runs then, and its movements add up', async () => {
    await sleepUntil(at, '2027-06-15T12:00:00Z')
    await at.app.database.query(`update invoices set status = 'void'`)
    const customers: Organization[] = []
    for (let count = 12; count > 0; count--) customers.push(await at.app.world.organization())
    const periods = await lives(customers, random(2026))
    const rows = await recurring('month_from=2024-01&month_to=2027-05')
    expect(rows.length).toBeGreaterThan(24)
    const totals: Record<string, bigint> = {}
    let before = 0n
    for (const month of monthsFrom('2024-01', '2027-05')) {
      const row: Row = rows.find((one) => one['month'] === month) ?? {}
      const of = (name: string): bigint => cents(row[name] ?? '0')
      const running = runningAt(periods, startOfDay(`${monthsLater(month, 1)}-01`, ZONE))
      const closing = [...running.values()].reduce((all, one) => all + one, 0n)
      const moved = of('new') + of('reactivation') + of('expansion') - of('contraction') - of('churn')
      expect([month, of('opening'), of('closing')]).toEqual([month, before, closing])
      expect([month, before + moved, Number(row['customers'] ?? 0)]).toEqual([month, closing, running.size])
      for (const name of MOVEMENTS) totals[name] = (totals[name] ?? 0n) + of(name)
      before = closing
    }
    expect(Object.entries(totals).filter(([, total]) => total === 0n)).toEqual([])
  })
})
