// The commission in the preview of a refund or a cancellation: what is then really taken back, to the cent.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { affiliateIn, runEarnings } from '#test/scenes/affiliates.ts'
import { acceptedQuote, buyerOf, eventually, LICENSE_LINE } from '#test/scenes/commerce.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile({ listens: true, environment: { COMMISSION_DAYS: '10', REFUNDS: 'approve' } })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)
const partner = await app.world.organization()
const affiliate: { id: number; code: string } = await affiliateIn(partner)

/** 12.5 % of what is paid without its tax: 12.50 of 110.00. */
const LINE = { ...LICENSE_LINE, quantity: 1, unit_price: '100.00', tax_percent: '10' }

async function paid(affiliate_code = affiliate.code): Promise<{ order_id: number; invoice_id: number }> {
  const payment = await acceptedQuote(app, acme, buyer, { affiliate_code, line_items: [LINE] })
  await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
  const look = async () => (await buyer.get(`/orders/${payment.order_id}`)).data
  await eventually(app, look, ({ status }) => status === 'completed')
  return payment
}

const commissions = async (path: string, body: object = {}, speaker: Speaker = acme.staff) => {
  const { data, status, raw } = await speaker.post(`${path}?dry_run=true`, body)
  expect(status, raw.body).toBe(200)
  return data.requests.filter(({ of }: { of: string }) => of === 'affiliate_program')
}

async function giveBack(orderId: number, body: object = {}): Promise<void> {
  const { data } = await buyer.post(`/orders/${orderId}/refund`, body)
  await acme.staff.post(`/refunds/${data.refund_id}/approve`)
  await acme.staff.post(`/refunds/${data.refund_id}/settle`)
  await app.service.worker.drain()
}

const newest = async () => (await partner.owner.get(`/affiliates/${affiliate.id}/referrals`)).data[0]

const named = (invoice_id: number, amount: string) => [
  {
    of: 'affiliate_program',
    act: 'update_commission',
    resource: 'invoice',
    resource_id: invoice_id,
    amount,
    currency: 'BRL',
  },
]

describe('the preview of a refund', () => {
  it.each([
    ['33.33', '3.79', '8.71'],
    ['0.04', '0.00', '12.50'],
    ['109.99', '12.50', '0.00'],
  ])('of %s of 110.00 says %s, which is taken back', async (amount, lowered, left) => {
    const { order_id, invoice_id } = await paid()
    const expected = lowered === '0.00' ? [] : named(invoice_id, lowered)
    expect(await commissions(`/orders/${order_id}/refund`, { amount })).toEqual(expected)
    expect((await newest()).amount).toBe('12.50')
    await giveBack(order_id, { amount })
    expect((await newest()).amount).toBe(left)
  })
  it('says after a part what is left, also of what was earned', async () => {
    const { order_id, invoice_id } = await paid()
    await giveBack(order_id, { amount: '33.33' })
    await app.database.query(`update commissions set earns_at = $1 where payment_id = $2`, [app.clock.now, invoice_id])
    await runEarnings(app)
    expect(await newest()).toMatchObject({ amount: '8.71', status: 'earned' })
    expect(await commissions(`/orders/${order_id}/refund`)).toEqual(named(invoice_id, '8.71'))
    await giveBack(order_id)
    expect(await newest()).toMatchObject({ amount: '0.00', status: 'reversed' })
  })
  it('says nothing without a commission: unknown code, own order', async () => {
    const { order_id } = await paid('AFL-1999010001')
    expect(await commissions(`/orders/${order_id}/refund`)).toEqual([])
  })
  it('says nothing to customers', async () => {
    const { order_id } = await paid()
    expect(await commissions(`/orders/${order_id}/refund`, {}, buyer)).toEqual([])
  })
})

describe('the preview of a cancellation', () => {
  it('says what its refund takes back', async () => {
    const { order_id, invoice_id } = await paid()
    await app.database.query(`update orders set status = 'processing' where id = $1`, [order_id])
    expect(await commissions(`/orders/${order_id}/cancel`)).toEqual(named(invoice_id, '12.50'))
  })
  it('says it to staff who may read finances only', async () => {
    const { order_id, invoice_id } = await paid()
    await app.database.query(`update orders set status = 'processing' where id = $1`, [order_id])
    const [quote] = await app.database.query<{ id: number }>(
      `update quotes set status = 'paid' where order_id = $1 returning id`,
      [order_id],
    )
    const path = `/quotes/${quote?.id}/cancel`
    expect(await commissions(path, {}, await acme.staffAs('sales', 'finance'))).toEqual(named(invoice_id, '12.50'))
    expect((await (await acme.staffAs('sales')).post(`${path}?dry_run=true`)).status).toBe(403)
  })
  it('says once what the refunds of several payments take back together', async () => {
    const { order_id, invoice_id } = await payInParts()
    await app.database.query(`update orders set status = 'processing' where id = $1`, [order_id])
    expect(await commissions(`/orders/${order_id}/cancel`)).toEqual(named(invoice_id, '12.50'))
  })
})

async function payInParts(): Promise<{ order_id: number; invoice_id: number }> {
  const payment = await acceptedQuote(app, acme, buyer, { affiliate_code: affiliate.code, line_items: [LINE] })
  for (const amount of ['40.00', '70.00'])
    expect((await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, { amount })).status).toBe(200)
  await app.service.worker.drain()
  return payment
}
