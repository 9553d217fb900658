// Revenue against the lists that it is made of, in a life with credit notes, refunds, voids, part payments and time zones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BillingScene,
  billingScene,
  goTo,
  invoicesOf,
  MONTHLY,
  pay,
  refundInvoice,
  SETUP,
  sleepUntil,
  sold,
} from '#test/scenes/own-billing.ts'
import { daysBetween, monthsLater } from '#kernel/values/time/calendar.ts'
import type { Answer } from '#test/harness/world.ts'

type Row = Record<string, string>

let at: BillingScene
const RANGE = 'month_from=2026-01&month_to=2027-12'

const report = async (name: string, query = RANGE): Promise<Row[]> => {
  const { status, data, raw } = await at.acme.staff.get(`/admin/reports/${name}?${query}`)
  expect(status, raw.body).toBe(200)
  return data.rows
}
const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))
const sum = (amounts: readonly string[]): bigint => amounts.reduce((all, one) => all + cents(one), 0n)
const by = (rows: readonly Row[], key: string, value: string) => {
  const found = new Map<string, bigint>()
  for (const row of rows) {
    const name = `${row[key]?.slice(0, 7)} ${row['company']} ${row['currency']}`
    found.set(name, (found.get(name) ?? 0n) + cents(row[value] ?? ''))
  }
  return Object.fromEntries([...found].filter(([, amount]) => amount !== 0n))
}
const all = async (path: string): Promise<Answer['data']> => (await at.acme.staff.get(`${path}?per_page=100`)).data

const line = (unit_price: string, more: object = {}) => ({
  product_name: 'Ação; "Pro" 🚀',
  quantity: 1,
  unit_price,
  ...more,
})
async function invoiced(line_items: object[], more: object = {}): Promise<number> {
  const body = { company: 'entity_br', currency: 'BRL', status: 'open', line_items, ...more }
  const { status, data, raw } = await at.acme.staff.post('/invoices', body)
  expect(status, raw.body).toBe(201)
  return data.id
}
async function credit(id: number, amount: string): Promise<void> {
  const { status, raw } = await at.acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Too much', amount })
  expect(status, raw.body).toBe(201)
}

let termed: number

beforeAll(async () => {
  at = await billingScene()
  await sleepUntil(at, '2026-01-20T12:00:00Z')
  const sale = await sold(at, [MONTHLY, SETUP])
  termed = await invoiced([line('33.33', { term_months: 12 }), line('33.33'), line('33.34'), line('0.00')])
  await pay(at, termed)
  // 31 January in São Paulo, 1 February in UTC.
  await goTo(at, '2026-02-01T02:30:00Z')
  const late = await invoiced([line('10.00'), line('0.05', { tax_percent: '10' })])
  await invoiced([line('7.77')], { company: 'entity_global', currency: 'USD' })
  await invoiced([line('1500')], { company: 'entity_global', currency: 'JPY' })
  await goTo(at, '2026-02-10T12:00:00Z')
  await invoiced([line('9.99')])
  await goTo(at, '2026-03-05T12:00:00Z')
  await invoiced([line('8.01')])
  const [, second] = await invoicesOf(at, sale)
  await pay(at, second.id)
  await credit(termed, '0.01')
  await credit(termed, '10.00')
  await credit(late, '3.34')
  const given = await invoiced([line('20.00')])
  await credit(given, '5.00')
  await at.acme.staff.post(`/invoices/${given}/void`)
  await goTo(at, '2026-04-10T12:00:00Z')
  await pay(at, late)
  await refundInvoice(at, sale, second.id)
  await at.acme.staff.post(`/invoices/${await invoiced([line('80.00')])}/pay`, { amount: '30.00' })
  await invoiced([line('1.00')], { status: 'draft' })
})
afterAll(() => at.app.close())

describe('GET /admin/reports/billed', () => {
  it('200 with sums that equal those of the lists', async () => {
    const rows = await report('billed')
    const invoices: Row[] = (await all('/invoices')).filter(({ status }: Row) => status !== 'draft')
    const notes: Row[] = await all('/credit-notes')
    expect(notes.length).toBeGreaterThan(4)
    expect(by(rows, 'month', 'invoiced')).toEqual(by(invoices, 'issue_date', 'total'))
    expect(by(rows, 'month', 'credited')).toEqual(by(notes, 'issue_date', 'total'))
    expect(sum(rows.map(({ voided = '' }) => voided))).toBe(cents('15.00'))
    for (const row of rows)
      expect(cents(row['billed'] ?? '')).toBe(
        cents(row['invoiced'] ?? '') - cents(row['credited'] ?? '') - cents(row['voided'] ?? ''),
      )
  })
  it('200 with what the statement of account says was billed', async () => {
    const { lines } = (await at.acme.staff.get('/account-statement?company=entity_br&currency=BRL')).data
    const billing = lines.filter(({ kind }: Row) => ['invoice', 'invoice_voided', 'credit_note'].includes(kind ?? ''))
    const rows = await report('billed', `${RANGE}&company=entity_br&currency=BRL`)
    expect(sum(rows.map(({ billed = '' }) => billed))).toBe(sum(billing.map(({ amount }: Row) => amount)))
  })
  it('200 with the day of the legal entity, the tax beside it, and the digits of the currency', async () => {
    const rows = await report('billed', 'month_from=2026-01&month_to=2026-01&class=ORD&company=entity_br')
    expect(rows).toMatchObject([{ month: '2026-01', invoiced: '110.06', tax: '0.01' }])
    const [japan] = await report('billed', `${RANGE}&currency=JPY`)
    expect(japan).toMatchObject({ invoiced: '1500', billed: '1500', tax: '0' })
  })
  it('200 with classes that add up to the whole', async () => {
    const whole = await report('billed')
    for (const one of ['PLG', 'SVC', 'ORD'])
      expect(await report('billed', `${RANGE}&class=${one}`)).toEqual(whole.filter((row) => row['class'] === one))
  })
})

describe('GET /admin/reports/recognized', () => {
  it('200 with all of the paid invoices, less what was credited, in the long run', async () => {
    const rows = await report('recognized', 'month_from=2026-01&month_to=2027-12')
    const paid: Row[] = (await all('/invoices')).filter(({ status }: Row) => status === 'paid')
    const net = paid.map((one) => cents(one['total'] ?? '') - cents(one['tax_total'] ?? ''))
    expect(sum(rows.map(({ earned = '' }) => earned))).toBe(net.reduce((one, other) => one + other, 0n))
    // Of the refunded 105.00 the tax of 5.00 was never revenue.
    expect(sum(rows.map(({ taken_back = '' }) => taken_back))).toBe(cents('113.35'))
  })
  it('200 to the cent: each month is cut, the last one has the rest', async () => {
    const rows = await report('recognized', 'month_from=2026-01&month_to=2027-01&class=ORD')
    // 33.33 over 365 days from 20 January, with 66.67 on that day: 12, 28 and 31 of them, then the credit notes.
    const months = Object.fromEntries(rows.map(({ month, earned }) => [month, earned]))
    expect(months).toMatchObject({ '2026-01': '67.76', '2026-02': '2.55', '2026-03': '2.83' })
    expect(sum(rows.map(({ earned = '' }) => earned))).toBe(cents('110.05'))
  })
  it('200 with the paid period day by day, and what was before the payment in its month', async () => {
    const rows = await report('recognized', 'month_from=2026-01&month_to=2026-04&class=PLG')
    // 100.00 from 20 January to 20 February: 12 of 31 days; the second period was paid in March, and given back in April.
    expect(rows.map(({ month, earned, taken_back }) => [month, earned, taken_back])).toEqual([
      ['2026-01', '38.70', '0.00'],
      ['2026-02', '61.30', '0.00'],
      ['2026-03', '100.00', '0.00'],
      ['2026-04', '0.00', '100.00'],
    ])
  })
})

describe('a month by itself', () => {
  it.each(['recognized', 'recurring-revenue', 'billed'])(
    '200 with the same of %s as in the whole range',
    async (name) => {
      const whole = await report(name, 'month_from=2025-11&month_to=2027-12')
      expect(whole.length).toBeGreaterThan(3)
      const alone: Row[] = []
      for (let count = 0; count < 26; count++) {
        const month = monthsLater('2025-11', count)
        alone.push(...(await report(name, `month_from=${month}&month_to=${month}`)))
      }
      expect(alone).toEqual(whole)
    },
  )
})

describe('GET /admin/reports/receivables', () => {
  it('200 with what the lists say is due, by age', async () => {
    const open: Row[] = (await all('/invoices')).filter(({ status }: Row) => status === 'open')
    const rows = await report('receivables', 'currency=BRL')
    expect(sum(rows.map(({ receivable = '' }) => receivable))).toBe(
      sum(open.filter(({ currency }) => currency === 'BRL').map(({ amount_due = '' }) => amount_due)),
    )
    for (const row of [...rows, ...(await report('receivables-by-organization', ''))])
      expect(cents(row['receivable'] ?? '')).toBe(
        sum(['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'].map((age) => row[age] ?? '')),
      )
    const aged = open.filter((one) => one['currency'] === 'BRL' && (one['due_date'] ?? '') < '2026-04-10')
    const ages = aged.map(({ due_date = '' }) => daysBetween(due_date, '2026-04-10'))
    expect(ages.length).toBeGreaterThan(1)
    const between = (from: number, to: number) =>
      sum(
        aged
          .filter((_, index) => (ages[index] ?? 0) >= from && (ages[index] ?? 0) <= to)
          .map((one) => one['amount_due'] ?? ''),
      )
    expect(['days_1_30', 'days_31_60', 'days_61_90'].map((age) => cents(rows[0]?.[age] ?? ''))).toEqual([
      between(1, 30),
      between(31, 60),
      between(61, 90),
    ])
    const [ofCustomer] = await report('receivables-by-organization', 'currency=JPY')
    expect(ofCustomer).toMatchObject({ organization_name: at.acme.name, days_61_90: '1500', receivable: '1500' })
    expect((await at.buyer.get('/reports/receivables')).data.rows).toEqual(await report('receivables', ''))
  })
  it('200 with what staff hold and what was given up', async () => {
    const [before] = await report('receivables', 'currency=BRL')
    const hold = { until: '2026-05-31', reason: 'Talks' }
    expect((await at.acme.staff.put('/dunning/hold', hold)).status).toBe(200)
    const [held] = await report('receivables', 'currency=BRL')
    expect(held?.['on_hold']).toBe(before?.['receivable'])
    await at.app.database.query(`update invoices set status = 'uncollectible' where currency = 'JPY'`)
    expect(await report('receivables', 'currency=JPY')).toMatchObject([
      { invoices: 0, receivable: '0', uncollectible: '1500' },
    ])
  })
})
