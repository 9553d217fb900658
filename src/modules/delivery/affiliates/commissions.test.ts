// Commissions for an affiliate in one organization from payments in another, and their reversal by refunds.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { affiliateIn, runEarnings } from '#test/scenes/affiliates.ts'
import { acceptedQuote, buyerOf, eventually, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { commissionOf } from './jobs.ts'

const DAY_MS = 86_400_000

const app = await appOfFile({ listens: true, environment: { COMMISSION_DAYS: '10', REFUNDS: 'approve' } })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)
const partner = await app.world.organization()
const affiliate: { id: number; code: string } = await affiliateIn(partner)

const LINE = { ...LICENSE_LINE, tax_percent: '10' }

async function paid(affiliate_code: string, at = acme, who = buyer): Promise<{ order_id: number; invoice_id: number }> {
  const payment = await acceptedQuote(app, at, who, { affiliate_code, line_items: [LINE] })
  await at.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
  const look = async () => (await who.get(`/orders/${payment.order_id}`)).data
  await eventually(app, look, ({ status }) => status === 'completed')
  return payment
}

async function giveBack(orderId: number, body: object = {}): Promise<void> {
  const { data } = await buyer.post(`/orders/${orderId}/refund`, body)
  await acme.staff.post(`/refunds/${data.refund_id}/approve`)
  await acme.staff.post(`/refunds/${data.refund_id}/settle`)
  await app.service.worker.drain()
}

const earn = () => runEarnings(app)

const referrals = async () => (await partner.owner.get(`/affiliates/${affiliate.id}/referrals`)).data
const newest = async () => (await referrals())[0]
const balance = async () => (await partner.owner.get(`/affiliates/${affiliate.id}`)).data.balance

describe('a commission', () => {
  it('is pending, lowered by a partial refund, earned after the waiting time and reversed by a full refund', async () => {
    const { order_id, invoice_id } = await paid(affiliate.code)
    // 12.5 % of 150.00; the tax of 15.00 earns nothing.
    expect(await newest()).toMatchObject({ amount: '18.75', currency: 'BRL', status: 'pending' })
    expect(await balance()).toBe('0.00')
    await giveBack(order_id, { amount: '55.00' })
    expect(await newest()).toMatchObject({ amount: '12.50', status: 'pending' })
    const earnsAt = Date.parse((await newest()).earns_at)
    expect(Math.round((earnsAt - app.clock.now.getTime()) / DAY_MS)).toBe(10)
    await earn()
    expect((await newest()).status).toBe('pending')
    await app.database.query(`update commissions set earns_at = $1`, [app.clock.now])
    await earn()
    expect(await newest()).toMatchObject({ amount: '12.50', status: 'earned' })
    expect(await balance()).toBe('12.50')
    await giveBack(order_id)
    expect(await newest()).toMatchObject({ amount: '0.00', status: 'reversed' })
    expect(await balance()).toBe('0.00')
    // The referred customer is never named.
    expect(Object.keys(await newest()).toSorted()).toEqual(['amount', 'currency', 'date', 'earns_at', 'id', 'status'])
    const audit = JSON.stringify((await partner.owner.get('/audit-log?resource=commission')).data)
    expect(audit).toContain('"payment_id":"***"')
    for (const secret of [acme.name, `"payment_id":${invoice_id}`]) expect(audit).not.toContain(secret)
    const events = await app.database.query<{ data: object }>(
      `select data from events where organization_id = $1 and resource = 'commission'`,
      [partner.id],
    )
    expect(events.some(({ data }) => 'payment_id' in data)).toBe(false)
  })
  it('is reversed when the payment was of another invoice, and made anew by the next one', async () => {
    const [wrong, right] = [await paid(affiliate.code), await acceptedQuote(app, acme, buyer)]
    await app.service.worker.drain()
    const reference = async () => (await buyer.get(`/invoices/${wrong.invoice_id}`)).data.payment_invoice_id
    const [payment] = (await acme.staff.get(`/invoices/${wrong.invoice_id}/payments`)).data
    const closed = await reference()
    const body = { invoice_id: right.invoice_id }
    expect((await acme.staff.post(`/payments/${payment.id}/move`, body)).status).toBe(200)
    await app.service.worker.drain()
    expect(await newest()).toMatchObject({ amount: '0.00', status: 'reversed' })
    const opened = await eventually(app, reference, (one) => one !== null && one !== closed)
    expect(typeof opened).toBe('string')
    await acme.staff.post(`/invoices/${wrong.invoice_id}/pay`, {})
    await app.service.worker.drain()
    expect(await newest()).toMatchObject({ amount: '18.75', status: 'pending' })
    expect((await referrals()).slice(0, 2).map(({ amount }: { amount: string }) => amount)).toEqual(['18.75', '0.00'])
  })
  it('is reversed when credit notes cover what the moved payment had paid', async () => {
    const [wrong, right] = [await paid(affiliate.code), await acceptedQuote(app, acme, buyer)]
    await app.service.worker.drain()
    expect(await newest()).toMatchObject({ amount: '18.75', status: 'pending' })
    const [payment] = (await acme.staff.get(`/invoices/${wrong.invoice_id}/payments`)).data
    await acme.staff.post(`/invoices/${wrong.invoice_id}/credit-notes`, { reason: 'Goodwill' })
    await app.service.worker.drain()
    await acme.staff.post(`/payments/${payment.id}/move`, { invoice_id: right.invoice_id })
    await app.service.worker.drain()
    expect((await buyer.get(`/invoices/${wrong.invoice_id}`)).data).toMatchObject({ amount_paid: '0.00' })
    expect(await newest()).toMatchObject({ amount: '0.00', status: 'reversed' })
  })
  it('is lowered while the affiliate’s organization is deleted, which earns nothing new', async () => {
    const gone = await app.world.organization()
    const { id, code } = await affiliateIn(gone)
    const { order_id } = await paid(code)
    await app.database.query(`update commissions set earns_at = $1 where affiliate_id = $2`, [app.clock.now, id])
    await earn()
    const held = async () => (await gone.owner.get(`/affiliates/${id}`)).data.balance
    expect(await held()).toBe('18.75')
    expect((await gone.owner.delete(`/organizations/${gone.id}`)).status).toBe(200)
    await giveBack(order_id)
    await paid(code)
    expect((await gone.staff.post(`/admin/organizations/${gone.id}/restore`)).status).toBe(200)
    expect(await held()).toBe('0.00')
    const { data } = await gone.owner.get(`/affiliates/${id}/referrals`)
    expect(data).toMatchObject([{ amount: '0.00', status: 'reversed' }])
  })
  it('is created once, however often the job runs', async () => {
    const before = (await referrals()).length
    const { invoice_id } = await paid(affiliate.code)
    for (let times = 0; times < 3; times++)
      await app.database.query(
        `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'affiliates/commission', $2, $3)`,
        [acme.id, JSON.stringify({ invoice_id, organization_id: acme.id, is_new: true }), app.clock.now],
      )
    await app.service.worker.drain()
    expect(await referrals()).toHaveLength(before + 1)
  })
  it('is not earned by the affiliate’s own orders, an unknown code, a closed account, or an additional invoice of the order', async () => {
    const before = (await referrals()).length
    await paid(affiliate.code, partner, await buyerOf(partner))
    const { order_id } = await paid('AFL-1999010001')
    const beside = { currency: 'BRL', total: 100_00, order_id, status: 'open' }
    const { id } = (await acme.staff.post('/invoices', beside)).data
    await acme.staff.post(`/invoices/${id}/pay`, {})
    await app.database.query(`update affiliates set status = 'closed' where id = $1`, [affiliate.id])
    await paid(affiliate.code)
    expect(await referrals()).toHaveLength(before)
  })
})

describe('commissionOf', () => {
  const unpaid = { affiliate_code: null, paid_at: null, payment_date: null, amount_refunded: '0' }
  const payment = { organization_id: 1, company: 'entity_br' as const, ...unpaid }
  it.each([
    ['BRL', '0.04', '0', '12.50', 1n],
    ['BRL', '0.03', '0', '12.50', 0n],
    ['JPY', '1000', '100', '10', 90n],
    ['KWD', '1.001', '0', '50', 501n],
    ['BRL', '0.00', '0', '100', 0n],
    ['BRL', '9999999999999.99', '0', '100', 999_999_999_999_999n],
  ])('%s %s with a tax of %s at %s %% is %s', (currency, total, tax_total, rate, expected) => {
    expect(commissionOf({ ...payment, currency, total, net_total: total, tax_total, amount_paid: total }, rate)).toBe(
      expected,
    )
  })
})
