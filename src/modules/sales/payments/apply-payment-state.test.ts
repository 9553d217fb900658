// Settling a payment: each state at the provider against each status of the invoice, once and again, with order and
// quote.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { PAID_AT, type Paying, payingAt } from '#test/scenes/paying.ts'
import { settlingAt } from '#test/scenes/settling.ts'
import { settleInvoice } from './settle-invoice.ts'

let settle: Paying['settle']
let stateOf: Paying['stateOf']
const app = await appOfFile()
const acme = await app.world.organization()
const at: ReturnType<typeof settlingAt> = settlingAt(app, acme)
;({ settle, stateOf } = payingAt(at))

const AFFILIATE = { affiliate_code: 'AFL-2026010001' }

/** The order's status after another invoice that staff wrote for it was paid. */
const beside = async (own: Record<string, unknown>, more: object[] = []) => {
  const sale = await at.sale({ invoice: own })
  const { subtotal: _subtotal, ...first } = await at.row('invoices', sale.invoice)
  const copy = (values: object, index: number) => {
    const { id: _id, amount_due: _due, net_total: _net, withheld: _withheld, ...rest } = first
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
    const payment = {
      amount: '150.00',
      surplus: '0.00',
      source: 'provider',
      payment_method: 'bank_slip',
      paid_at: PAID_AT,
    }
    const where = { provider: 'sandbox', payment_date: '2026-03-09' }
    expect(await at.payments(sale.invoice)).toMatchObject([{ ...payment, ...where, recorded_by: null }])
  })
  it('without a time and a method is of now', async () => {
    const sale = await at.sale()
    await settle(sale, { paidAt: null, method: null })
    expect((await stateOf(sale)).invoice).toMatchObject({
      paid_at: app.clock.now.toISOString(),
      payment_method: null,
    })
    expect((await at.row('orders', sale.order))['payment_method_title']).toBeNull()
  })
  it('by hand is not marked as one at the provider', async () => {
    const sale = await at.sale()
    await at.act((ctx) => settleInvoice(ctx, sale.invoice, { method: 'cash', paidAt: new Date(PAID_AT) }))
    expect((await stateOf(sale)).invoice.status).toBe('paid')
    expect(await at.payments(sale.invoice)).toMatchObject([{ source: 'by_hand', reference: null, amount: '150.00' }])
  })
  it('pays what is due after credit notes', async () => {
    const sale = await at.sale({ invoice: { amount_credited: '50.00' } })
    await settle(sale, { amount: '100.00' })
    expect((await stateOf(sale)).invoice).toMatchObject({ status: 'paid', amount_paid: '100.00' })
  })
  it('counts for an uncollectible invoice', async () => {
    const sale = await at.sale({ invoice: { status: 'uncollectible' } })
    await settle(sale)
    expect((await stateOf(sale)).invoice.status).toBe('paid')
  })
  it('of a draft is a permanent failure', async () => {
    const sale = await at.sale({ invoice: { status: 'draft' } })
    const before = await stateOf(sale)
    await expect(settle(sale)).rejects.toThrow('was paid but is draft: the money has to be refunded by hand')
    expect(await stateOf(sale)).toEqual(before)
  })
  it('through a checkout that was replaced by another counts as well', async () => {
    const sale = await at.sale()
    await settle(sale, { reference: 'in_before' })
    expect((await stateOf(sale)).invoice.status).toBe('paid')
  })
  it('of an order that staff completed before is recorded, and of one without a quote too', async () => {
    const completed = await at.sale({ order: { status: 'completed' } })
    await settle(completed)
    expect(await stateOf(completed)).toMatchObject({ order: 'completed', quote: 'paid' })
    expect((await at.row('orders', completed.order))['date_paid']).toBe(PAID_AT)
    const alone = await at.sale({ order: { quote_id: null } })
    await settle(alone)
    expect(await stateOf(alone)).toMatchObject({ order: 'processing', quote: 'accepted' })
  })
  it('of an order whose quote is fulfilled leaves the quote as it is', async () => {
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

describe('a further invoice of an order', () => {
  it('does not pay the order while its own invoice is not void', async () => {
    expect(await beside({})).toBe('pending')
    expect(await beside({ status: 'paid', amount_paid: '150.00' })).toBe('pending')
  })
  it('pays the order when its own is void and all others are paid', async () => {
    expect(await beside({ status: 'void' })).toBe('processing')
    expect(await beside({ status: 'void' }, [{}])).toBe('pending')
    expect(await beside({ status: 'void' }, [{ status: 'paid', amount_paid: '150.00' }])).toBe('processing')
    expect(await beside({ status: 'void' }, [{ status: 'void' }, { status: 'open' }])).toBe('pending')
  })
})

describe('a report that is no payment', () => {
  it('of a failed attempt is recorded while the invoice is open', async () => {
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
  it('of an uncollectible invoice makes ours uncollectible, if its moves allow that', async () => {
    const sale = await at.sale()
    for (let times = 0; times < 2; times++) await settle(sale, { status: 'uncollectible' })
    expect((await stateOf(sale)).invoice.status).toBe('uncollectible')
    const voided = await at.sale({ invoice: { status: 'void' } })
    await settle(voided, { status: 'uncollectible' })
    expect((await stateOf(voided)).invoice.status).toBe('void')
  })
  it('of a voided invoice is a permanent failure while ours is owed, and changes nothing otherwise', async () => {
    const sale = await at.sale()
    await expect(settle(sale, { status: 'void' })).rejects.toThrow('was voided at the provider')
    for (const invoice of [{ status: 'void' }, { status: 'paid', amount_paid: '150.00' }])
      await settle(await at.sale({ invoice }), { status: 'void' })
  })
  it('of a checkout that was replaced by another changes nothing', async () => {
    for (const status of ['open', 'uncollectible', 'void'] as const) {
      const sale = await at.sale()
      const before = await stateOf(sale)
      await settle(sale, { status, reference: 'in_before' }, true)
      expect(await stateOf(sale)).toEqual(before)
    }
  })
})
