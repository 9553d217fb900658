// Settling a payment that does not match its invoice, or is of another amount.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { PAID_AT, type Paying, payingAt } from '#test/scenes/paying.ts'
import { settlingAt } from '#test/scenes/settling.ts'

let settle: Paying['settle']
let stateOf: Paying['stateOf']
const app = await appOfFile()
const acme = await app.world.organization()
const at: ReturnType<typeof settlingAt> = settlingAt(app, acme)
;({ settle, stateOf } = payingAt(at))

const AFFILIATE = { affiliate_code: 'AFL-2026010001' }

describe('a payment that does not match is a permanent failure, and changes nothing', () => {
  it('in another currency', async () => {
    const sale = await at.sale()
    const before = await stateOf(sale)
    await expect(settle(sale, { currency: 'USD' })).rejects.toThrow('but 150.00 USD was paid')
    expect(await stateOf(sale)).toEqual(before)
    expect(await at.payments(sale.invoice)).toEqual([])
  })
  it('reported again with another amount', async () => {
    const sale = await at.sale()
    await settle(sale)
    await expect(settle(sale, { amount: '149.99' })).rejects.toThrow('was recorded with 150.00 BRL')
    expect(await at.payments(sale.invoice)).toHaveLength(1)
  })
  it('by another customer of the provider', async () => {
    const column = 'payment_customer_id_br'
    await app.database.query(`update organizations set ${column} = 'cus_own' where id = $1`, [acme.id])
    await expect(settle(await at.sale(), { customer: 'cus_other' })).rejects.toThrow('customer cus_other')
    for (const customer of ['cus_own', null]) await settle(await at.sale(), { customer })
    await app.database.query(`update organizations set ${column} = null where id = $1`, [acme.id])
    await settle(await at.sale(), { customer: 'cus_other' })
  })
})

describe('a payment of another amount', () => {
  it('of less leaves the rest due; order and quote follow once, with the last part', async () => {
    const sale = await at.sale({ order: AFFILIATE })
    const parts = [
      { reference: 'in_part_1', amount: '40.00' },
      { reference: 'in_part_2', amount: '60.00' },
    ]
    for (const part of [...parts, ...parts]) await settle(sale, part)
    expect(await stateOf(sale)).toMatchObject({
      invoice: { status: 'open', payment_status: 'unpaid', amount_paid: '100.00', paid_at: null },
      order: 'pending',
      quote: 'accepted',
    })
    expect(await at.row('invoices', sale.invoice)).toMatchObject({ amount_due: '50.00', payment_invoice_id: null })
    expect(await at.commissions(sale.invoice)).toEqual([])
    const last = { reference: 'in_part_3', amount: '50.00', paidAt: '2026-03-12T12:00:00.000Z' }
    for (const part of [last, ...parts, last]) await settle(sale, part)
    expect(await stateOf(sale)).toMatchObject({
      invoice: { status: 'paid', amount_paid: '150.00', paid_at: last.paidAt },
      order: 'processing',
      quote: 'paid',
    })
    expect(await at.eventsOf('quote', sale.quote)).toEqual(['quote/paid'])
    expect(await at.eventsOf('invoice', sale.invoice)).toEqual([
      'invoice/partly_paid',
      'invoice/updated',
      'invoice/partly_paid',
      'invoice/paid',
    ])
    expect(await at.commissions(sale.invoice)).toEqual([true])
    expect(await at.payments(sale.invoice)).toHaveLength(3)
  })
  it('of more pays the invoice, and the rest goes to the credit balance', async () => {
    const before = await at.balance()
    const sale = await at.sale({ invoice: { amount_credited: '50.00' } })
    for (let times = 0; times < 2; times++) await settle(sale)
    expect((await stateOf(sale)).invoice).toMatchObject({ status: 'paid', amount_paid: '100.00' })
    expect(await at.payments(sale.invoice)).toMatchObject([{ amount: '150.00', surplus: '50.00' }])
    expect((await at.balance()) - before).toBe(5000n)
  })
  it.each(['void', 'paid'])('of an invoice that is %s goes to the credit balance', async (status) => {
    const before = await at.balance()
    const paid = status === 'paid' ? { amount_paid: '150.00', paid_at: PAID_AT } : {}
    const sale = await at.sale({ invoice: { status, ...paid } })
    const was = await stateOf(sale)
    for (let times = 0; times < 2; times++) await settle(sale)
    expect(await stateOf(sale)).toEqual(was)
    expect(await at.payments(sale.invoice)).toMatchObject([{ amount: '150.00', surplus: '150.00' }])
    expect((await at.balance()) - before).toBe(15_000n)
  })
  it('a second time: another time is a second payment; the same time, or none, is the same payment', async () => {
    const before = await at.balance()
    const sale = await at.sale()
    const times = [PAID_AT, null, '2026-03-10T03:30:00+01:00', '2026-03-10T02:30:01Z', '2026-03-10T02:30:01Z']
    for (const paidAt of times) await settle(sale, { paidAt })
    expect(await at.payments(sale.invoice)).toMatchObject([{ surplus: '0.00' }, { surplus: '150.00' }])
    expect((await at.balance()) - before).toBe(15_000n)
  })
})
