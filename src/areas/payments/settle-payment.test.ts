// A payment as the provider's word has it: each word on each state of the invoice, once and again, and what hangs on it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { settlingAt, type Sale } from '#test/scenes/settling.ts'
import type { Organization } from '#test/harness/world.ts'
import { settleInvoice } from './settle-invoice.ts'
import { settlePayment } from './settle-payment.ts'

let app: TestApp
let acme: Organization
let at: ReturnType<typeof settlingAt>
beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  at = settlingAt(app, acme)
})
afterAll(() => app.close())

const AFFILIATE = { affiliate_code: 'AFL-2026010001' }
const PAID_AT = '2026-03-10T02:30:00.000Z'
type State = Parameters<typeof settlePayment>[2]

/** `in_…` of the sale, paid by card. */
async function settle({ invoice }: Sale, given: Partial<State> = {}, hasFailed = false): Promise<void> {
  const { payment_invoice_id: reference } = await at.row('invoices', invoice)
  const paid = { provider: 'sandbox', reference: String(reference), status: 'paid', amount: '150.00', currency: 'BRL' }
  const state = { ...paid, method: 'bank_slip', paidAt: PAID_AT, customer: null, hasFailed, ...given } as State
  await at.act((ctx) => settlePayment(ctx, invoice, state))
}
const stateOf = async (sale: Sale) => {
  const invoice = await at.row('invoices', sale.invoice)
  const { status, payment_status, payment_method, paid_at, payment_date, amount_paid, is_paid_by_provider } = invoice
  return {
    invoice: { status, payment_status, payment_method, paid_at, payment_date, amount_paid, is_paid_by_provider },
    order: (await at.row('orders', sale.order))['status'],
    quote: (await at.row('quotes', sale.quote))['status'],
  }
}

describe('a payment', () => {
  it('pays the invoice, its order and its quote, once, on the day of the legal entity', async () => {
    const sale = await at.sale({ order: AFFILIATE })
    for (let times = 0; times < 2; times++) await settle(sale)
    expect(await stateOf(sale)).toEqual({
      invoice: {
        status: 'paid',
        payment_status: 'paid',
        payment_method: 'bank_slip',
        paid_at: PAID_AT,
        payment_date: '2026-03-09',
        amount_paid: '150.00',
        is_paid_by_provider: true,
      },
      order: 'processing',
      quote: 'paid',
    })
    expect(await at.row('orders', sale.order)).toMatchObject({
      date_paid: PAID_AT,
      payment_method: 'bank_slip',
      payment_method_title: 'Bank slip',
    })
    expect(await at.eventsOf('quote', sale.quote)).toEqual(['quote/paid'])
    expect(await at.commissions(sale.invoice)).toEqual([true])
  })
  it('of no known moment and method is of now', async () => {
    const sale = await at.sale()
    await settle(sale, { paidAt: null, method: null })
    expect((await stateOf(sale)).invoice).toMatchObject({
      paid_at: app.clock.now.toISOString(),
      payment_method: null,
    })
    expect((await at.row('orders', sale.order))['payment_method_title']).toBeNull()
  })
  it('by hand is not the provider’s', async () => {
    const sale = await at.sale()
    await at.act((ctx) => settleInvoice(ctx, sale.invoice, { method: 'cash', paidAt: new Date(PAID_AT) }))
    expect((await stateOf(sale)).invoice).toMatchObject({ status: 'paid', is_paid_by_provider: false })
  })
  it('pays what is due after credit notes', async () => {
    const sale = await at.sale({ invoice: { amount_credited: '50.00' } })
    await expect(settle(sale)).rejects.toThrow('asks for 100.00 BRL, but 150.00 BRL was paid')
    await settle(sale, { amount: '100.00' })
    expect((await stateOf(sale)).invoice).toMatchObject({ status: 'paid', amount_paid: '100.00' })
  })
  it('counts though the invoice was given up', async () => {
    const sale = await at.sale({ invoice: { status: 'uncollectible' } })
    await settle(sale)
    expect((await stateOf(sale)).invoice.status).toBe('paid')
  })
  it.each(['void', 'draft'])('of an invoice that is %s is parked', async (status) => {
    const sale = await at.sale({ invoice: { status } })
    const before = await stateOf(sale)
    await expect(settle(sale)).rejects.toThrow(
      new RegExp(`was paid but is ${status}: the money has to be given back by hand`),
    )
    expect(await stateOf(sale)).toEqual(before)
  })
  it('through a checkout that another has taken the place of counts as well', async () => {
    const sale = await at.sale()
    await settle(sale, { reference: 'in_before' })
    expect((await stateOf(sale)).invoice.status).toBe('paid')
  })
  it('of an order that staff completed before is noted, and of one without a quote too', async () => {
    const completed = await at.sale({ order: { status: 'completed' } })
    await settle(completed)
    expect(await stateOf(completed)).toMatchObject({ order: 'completed', quote: 'paid' })
    expect((await at.row('orders', completed.order))['date_paid']).toBe(PAID_AT)
    const alone = await at.sale({ order: { quote_id: null } })
    await settle(alone)
    expect(await stateOf(alone)).toMatchObject({ order: 'processing', quote: 'accepted' })
  })
  it('of an order whose quote was fulfilled long ago leaves the quote as it is', async () => {
    const sale = await at.sale({ quote: { status: 'fulfilled' }, order: { status: 'completed' } })
    await settle(sale)
    expect((await stateOf(sale)).quote).toBe('fulfilled')
  })
  it('without an order pays the invoice alone', async () => {
    const sale = await at.sale({ invoice: { order_id: null } })
    await settle(sale)
    expect(await stateOf(sale)).toMatchObject({ invoice: { status: 'paid' }, order: 'pending', quote: 'accepted' })
  })
})

/** The order's state after a hand-written invoice beside its own was paid. */
const beside = async (own: Record<string, unknown>, more: object[] = []) => {
  const sale = await at.sale({ invoice: own })
  const { subtotal: _subtotal, ...first } = await at.row('invoices', sale.invoice)
  const copy = (values: object, index: number) => {
    const { id: _id, amount_due: _due, ...rest } = first
    const row = { ...rest, origin: 'manual', status: 'open', payment_invoice_id: null, ...values }
    const given = Object.entries({ ...row, number: `${sale.invoice}-${index}` }).filter(([, value]) => value !== null)
    return at.add(
      'invoices',
      Object.fromEntries(given.map(([key, value]) => [key, key === 'line_items' ? JSON.stringify(value) : value])),
    )
  }
  const [invoice = 0] = await Promise.all([{}, ...more].map(copy))
  await at.act((ctx) => settleInvoice(ctx, invoice, { method: null, paidAt: new Date(PAID_AT) }))
  return (await stateOf(sale)).order
}

describe('what staff billed beside the order', () => {
  it('does not pay it while its own invoice stands', async () => {
    expect(await beside({})).toBe('pending')
    expect(await beside({ status: 'paid', amount_paid: '150.00' })).toBe('pending')
  })
  it('pays it once its own is void, with the last of what took its place', async () => {
    expect(await beside({ status: 'void' })).toBe('processing')
    expect(await beside({ status: 'void' }, [{}])).toBe('pending')
    expect(await beside({ status: 'void' }, [{ status: 'paid', amount_paid: '150.00' }])).toBe('processing')
    expect(await beside({ status: 'void' }, [{ status: 'void' }, { status: 'open' }])).toBe('pending')
  })
})

describe('news that are no payment', () => {
  it('a failure is noted while it is owed, and only a failure', async () => {
    const sale = await at.sale()
    await settle(sale, { status: 'open' })
    expect((await stateOf(sale)).invoice.payment_status).toBe('unpaid')
    await settle(sale, { status: 'open' }, true)
    expect((await stateOf(sale)).invoice).toMatchObject({ status: 'open', payment_status: 'failed' })
    expect(await at.eventsOf('invoice', sale.invoice)).toEqual(['invoice/payment_failed'])
    const paid = await at.sale({ invoice: { status: 'paid', payment_status: 'paid', amount_paid: '150.00' } })
    await settle(paid, { status: 'open' }, true)
    expect((await stateOf(paid)).invoice.payment_status).toBe('paid')
  })
  it('given up there is given up here, where that is possible', async () => {
    const sale = await at.sale()
    for (let times = 0; times < 2; times++) await settle(sale, { status: 'uncollectible' })
    expect((await stateOf(sale)).invoice.status).toBe('uncollectible')
    const voided = await at.sale({ invoice: { status: 'void' } })
    await settle(voided, { status: 'uncollectible' })
    expect((await stateOf(voided)).invoice.status).toBe('void')
  })
  it('void there is parked while it is owed, and nothing where it is not', async () => {
    const sale = await at.sale()
    await expect(settle(sale, { status: 'void' })).rejects.toThrow('was voided at the provider')
    for (const invoice of [{ status: 'void' }, { status: 'paid', amount_paid: '150.00' }])
      await settle(await at.sale({ invoice }), { status: 'void' })
  })
  it('of a checkout that another has taken the place of is none', async () => {
    for (const status of ['open', 'uncollectible', 'void'] as const) {
      const sale = await at.sale()
      const before = await stateOf(sale)
      await settle(sale, { status, reference: 'in_before' }, true)
      expect(await stateOf(sale)).toEqual(before)
    }
  })
})

describe('a payment that does not fit is parked, and changes nothing', () => {
  it.each([
    ['amount', { amount: '149.99' }, 'asks for 150.00 BRL, but 149.99 BRL was paid'],
    ['currency', { currency: 'USD' }, 'but 150.00 USD was paid'],
  ])('another %s', async (_what, state, why) => {
    const sale = await at.sale()
    const before = await stateOf(sale)
    await expect(settle(sale, state)).rejects.toThrow(why)
    expect(await stateOf(sale)).toEqual(before)
  })
  it('held against what was paid, or billed, where the invoice is over', async () => {
    const paid = { status: 'paid', amount_credited: '50.00', amount_paid: '100.00', paid_at: PAID_AT }
    await settle(await at.sale({ invoice: paid }), { amount: '100.00' })
    await expect(settle(await at.sale({ invoice: paid }))).rejects.toThrow('asks for 100.00 BRL')
    const voided = { status: 'void', amount_credited: '150.00' }
    await expect(settle(await at.sale({ invoice: voided }))).rejects.toThrow('was paid but is void')
  })
  it('another customer of the provider', async () => {
    const column = 'payment_customer_id_br'
    await app.database.query(`update organizations set ${column} = 'cus_own' where id = $1`, [acme.id])
    await expect(settle(await at.sale(), { customer: 'cus_other' })).rejects.toThrow('customer cus_other')
    for (const customer of ['cus_own', null]) await settle(await at.sale(), { customer })
    await app.database.query(`update organizations set ${column} = null where id = $1`, [acme.id])
    await settle(await at.sale(), { customer: 'cus_other' })
  })
  it('a second payment: another moment; the same moment, or none, is the same payment', async () => {
    const paid = { status: 'paid', amount_paid: '150.00', paid_at: PAID_AT }
    const sale = await at.sale({ invoice: paid })
    await settle(sale)
    await settle(sale, { paidAt: null })
    await settle(sale, { paidAt: '2026-03-10T03:30:00+01:00' })
    await expect(settle(sale, { paidAt: '2026-03-10T02:30:01Z' })).rejects.toThrow(
      /was paid on .* already and again on/,
    )
    await settle(await at.sale({ invoice: { ...paid, paid_at: null } }))
  })
})
