// What a refund of an order without an amount is of.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import {
  before,
  type BillingScene,
  billingScene,
  goTo,
  invoicesOf,
  type Sale,
  sold,
  worked,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const asked = async (sale: Sale) => (await at.acme.staff.post(`/orders/${sale.order_id}/refund`)).data
describe('a refund of an order without an amount', () => {
  it('is of all invoices, in whatever parts they were paid, where there are no periods', async () => {
    const sale = await sold(at, [LICENSE_LINE])
    const hours = await worked(at.acme, sale.order_id)
    for (const amount of ['120.00', '80.00']) await at.acme.staff.post(`/invoices/${hours}/pay`, { amount })
    const { amount, refund_ids } = await asked(sale)
    expect([amount, refund_ids.length]).toEqual(['350.00', 3])
    for (const id of refund_ids) expect((await at.acme.staff.post(`/refunds/${id}/settle`)).status).toBe(200)
    await at.app.service.worker.drain()
    expect((await at.buyer.get(`/orders/${sale.order_id}`)).data.status).toBe('refunded')
    expect((await at.acme.staff.post(`/orders/${sale.order_id}/refund`)).status).toBe(409)
  })
  it('is of the latest period alone where there are periods, in whatever parts it was paid', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 5))
    const { id } = (await invoicesOf(at, sale)).at(-1)
    for (const amount of ['25.00', '80.00']) await at.acme.staff.post(`/invoices/${id}/pay`, { amount })
    const { amount, refund_ids } = await asked(sale)
    expect([amount, refund_ids.length]).toEqual(['105.00', 2])
    for (const one of refund_ids) expect((await at.buyer.get(`/refunds/${one}`)).data.invoice_id).toBe(id)
  })
})
