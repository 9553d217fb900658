// Settling a refund: each report against each status, once and again, with invoice, order and entitlement.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { settlingAt, type Sale } from '#test/scenes/settling.ts'
import { applyRefundState, type RefundReport } from './apply-refund-state.ts'

const app = await appOfFile()
const at: ReturnType<typeof settlingAt> = settlingAt(app, await app.world.organization())

const PAID = { status: 'paid', payment_status: 'paid', amount_paid: '150.00' }
const COMPLETED = { status: 'completed', affiliate_code: 'AFL-2026010001' }

/** A paid and completed order with a refund of `amount` that is processing. */
const refunding = (amount: string, more: object = {}, invoice: object = {}): Promise<Sale> =>
  at.sale({
    quote: { status: 'fulfilled' },
    order: COMPLETED,
    invoice: { ...PAID, refund_reserved: amount, ...invoice },
    refund: { amount, ...more },
  })
const settle = ({ refund }: Sale, report: RefundReport) => at.act((ctx) => applyRefundState(ctx, refund, report))
const stateOf = async (sale: Sale) => {
  const refund = await at.row('refunds', sale.refund)
  const invoice = await at.row('invoices', sale.invoice)
  const notes = await app.database.query<{ total: string; reason: string; refund_id: number | null }>(
    'select total, reason, refund_id from credit_notes where invoice_id = $1 order by id',
    [sale.invoice],
  )
  return {
    refund: [refund['status'], refund['failure_reason']],
    invoice: [invoice['refund_reserved'], invoice['amount_refunded'], invoice['payment_status']],
    notes,
    order: (await at.row('orders', sale.order))['status'],
    entitlement: (await at.row('entitlements', sale.entitlement))['status'],
  }
}

describe('a refund', () => {
  it('that is still processing changes nothing', async () => {
    const sale = await refunding('50.00')
    const before = await stateOf(sale)
    await settle(sale, { status: 'processing', amount: '50.00', currency: 'BRL' })
    expect(await stateOf(sale)).toEqual(before)
    expect(await at.eventsOf('refund', sale.refund)).toEqual([])
  })
  it('that failed has the reason and is no longer reserved, once', async () => {
    const sale = await refunding('50.00', {}, { refund_reserved: '80.00' })
    for (let times = 0; times < 2; times++) await settle(sale, { status: 'failed', reason: 'expired_card' })
    expect(await stateOf(sale)).toMatchObject({
      refund: ['failed', 'expired_card'],
      invoice: ['30.00', '0', 'paid'],
      notes: [],
      order: 'completed',
    })
    expect(await at.eventsOf('refund', sale.refund)).toEqual(['refund/failed'])
  })
  it('that failed without a reason has none', async () => {
    const sale = await refunding('50.00')
    await settle(sale, { status: 'failed' })
    expect((await stateOf(sale)).refund).toEqual(['failed', null])
  })
  it('of a part is credited once, and the order stays', async () => {
    const sale = await refunding('50.00')
    for (let times = 0; times < 2; times++)
      await settle(sale, { status: 'succeeded', amount: '50.00', currency: 'BRL' })
    expect(await stateOf(sale)).toEqual({
      refund: ['succeeded', null],
      invoice: ['50.00', '50.00', 'paid'],
      notes: [{ total: '50.00', reason: 'Too many', refund_id: sale.refund }],
      order: 'completed',
      entitlement: 'active',
    })
    expect(await at.eventsOf('invoice', sale.invoice)).toEqual(['invoice/partly_refunded', 'invoice/credited'])
    expect(await at.commissions(sale.invoice)).toEqual([false])
  })
  it('of all refunds the order and ends its entitlements', async () => {
    const sale = await refunding('150.00')
    await settle(sale, { status: 'succeeded' })
    expect(await stateOf(sale)).toMatchObject({
      invoice: ['150.00', '150.00', 'refunded'],
      notes: [{ total: '150.00' }],
      order: 'refunded',
      entitlement: 'cancelled',
    })
    expect(await at.eventsOf('invoice', sale.invoice)).toEqual(['invoice/refunded', 'invoice/credited'])
  })
  it('of all that is left ends the entitlements of a cancelled order, which keeps its status', async () => {
    const sale = await refunding('150.00')
    await app.database.query(`update orders set status = 'cancelled' where id = $1`, [sale.order])
    await settle(sale, { status: 'succeeded' })
    expect(await stateOf(sale)).toMatchObject({ order: 'cancelled', entitlement: 'cancelled' })
  })
  it('that had failed and then succeeds counts and is reserved again, to the last cent', async () => {
    const sale = await refunding('150.00', { status: 'failed', failure_reason: 'lost' }, { refund_reserved: '0.00' })
    await settle(sale, { status: 'succeeded' })
    expect(await stateOf(sale)).toMatchObject({
      refund: ['succeeded', null],
      invoice: ['150.00', '150.00', 'refunded'],
    })
  })
  it('that had failed and then succeeds is a permanent failure when another was made instead', async () => {
    const sale = await refunding(
      '50.00',
      { status: 'failed' },
      { refund_reserved: '100.01', amount_refunded: '100.01' },
    )
    const before = await stateOf(sale)
    await expect(settle(sale, { status: 'succeeded' })).rejects.toThrow(
      /^refund \d+ had failed and succeeded after all.*more was refunded than was paid$/,
    )
    expect(await stateOf(sale)).toEqual(before)
  })
  it('that fails after it had succeeded is a permanent failure; other reports change nothing', async () => {
    const sale = await refunding('50.00', { status: 'succeeded' }, { amount_refunded: '50.00' })
    const before = await stateOf(sale)
    await expect(settle(sale, { status: 'failed' })).rejects.toThrow(/had succeeded.*50\.00 BRL have not reached/)
    await settle(sale, { status: 'processing' })
    await settle(sale, { status: 'succeeded' })
    expect(await stateOf(sale)).toEqual(before)
  })
  it('that was rejected can neither succeed nor fail', async () => {
    const sale = await refunding('50.00', { status: 'rejected' })
    const before = await stateOf(sale)
    for (const status of ['succeeded', 'failed'] as const) await settle(sale, { status })
    expect(await stateOf(sale)).toEqual(before)
  })
  it.each([
    ['amount', { amount: '50.01', currency: 'BRL' }, 'the provider speaks of 50.01 BRL'],
    ['currency', { amount: '50.00', currency: 'USD' }, 'the provider speaks of 50.00 USD'],
    ['amount alone', { amount: '5.00' }, 'is of 50.00 BRL'],
    ['currency alone', { currency: 'EUR' }, 'is of 50.00 BRL'],
  ])('of another %s is a permanent failure in every status', async (_what, other, why) => {
    const sale = await refunding('50.00')
    const before = await stateOf(sale)
    for (const status of ['processing', 'succeeded', 'failed'] as const)
      await expect(settle(sale, { status, ...other })).rejects.toThrow(why)
    expect(await stateOf(sale)).toEqual(before)
  })
})

describe('what staff have credited before a refund', () => {
  it.each([
    ['less', '20.00', ['30.00']],
    ['as much', '50.00', []],
    ['more', '60.00', []],
  ])('is not credited twice: %s than is refunded', async (_what, amount_credited, expected) => {
    const sale = await refunding('50.00', {}, { amount_credited })
    await settle(sale, { status: 'succeeded' })
    const { notes, invoice } = await stateOf(sale)
    expect(notes.map(({ total }) => total)).toEqual(expected)
    expect(invoice).toEqual(['50.00', '50.00', 'paid'])
  })
  it('includes a credit note before the payment, which the refund does not use up', async () => {
    const sale = await refunding('50.00', {}, { amount_paid: '130.00', amount_credited: '20.00' })
    await settle(sale, { status: 'succeeded' })
    expect((await stateOf(sale)).notes.map(({ total }) => total)).toEqual(['50.00'])
  })
})
