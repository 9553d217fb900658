// PATCH /orders/{id}/subscription: another quantity or price from the next period on, and what is delivered then.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accepted,
  before,
  type BillingScene,
  billingScene,
  entitlementsOf,
  goTo,
  invoicesOf,
  later,
  MONTHLY,
  pathOf,
  pay,
  refundInvoice,
  type Sale,
  SETUP,
  sold,
  subscriptionOf,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const codeOf = async ({ order_id }: Sale): Promise<string> =>
  (await at.buyer.get(`/orders/${order_id}`)).data.items.find(({ interval }: { interval?: string }) => interval)
    .entitlement_code
async function change(sale: Sale, line: object) {
  const line_items = [{ entitlement_code: await codeOf(sale), ...line }]
  return at.acme.staff.patch(pathOf(sale), { line_items })
}
const fieldsOf = async (sale: Sale, line: object) => Object.keys((await change(sale, line)).errors?.fields ?? {})
const quantityOf = async (sale: Sale) => (await entitlementsOf(at, sale)).at(-1).quantity
const licenseOf = async (sale: Sale) =>
  (await at.buyer.get(`/entitlements/${(await entitlementsOf(at, sale)).at(-1).id}/licenses`)).data[0]
const totalsOf = async (sale: Sale) => (await invoicesOf(at, sale)).map(({ status, total }) => `${status} ${total}`)

describe('PATCH /orders/{id}/subscription', () => {
  it('200: the next period is billed with it; the order stays as it was agreed', async () => {
    const sale = await sold(at, [SETUP, { ...MONTHLY, discount: '10.00' }])
    const [{ period_end }] = await invoicesOf(at, sale)
    const { status, data } = await change(sale, { quantity: 8, unit_price: '45.00' })
    expect(status).toBe(200)
    // 8 × 45.00 less 10.00, and 5 % tax.
    expect(data).toMatchObject({
      amount: '367.50',
      line_items: [{ quantity: 8, unit_price: '45.00', discount: '10.00' }],
    })
    expect((await at.buyer.get(`/orders/${sale.order_id}`)).data.items[1].quantity).toBe(2)
    await goTo(at, before(period_end, 14))
    expect(await totalsOf(sale)).toEqual(['paid 394.50', 'open 367.50'])
    expect((await change(sale, { discount_percent: '10' })).data.amount).toBe('340.20')
  })
  it('200: an open invoice of a period that has not begun is made anew', async () => {
    const sale = await sold(at)
    const [{ period_end, period_start }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    expect((await change(sale, { quantity: 3 })).data.invoiced_until).toBe(period_end)
    await goTo(at, before(period_end, 9))
    expect(await totalsOf(sale)).toEqual(['paid 105.00', 'void 105.00', 'open 157.50'])
    expect((await invoicesOf(at, sale)).at(-1).period_end).toBe(later(period_start, 2))
  })
  it('200: a period that is paid in part stays, so that its money is not left with a void invoice; so it does in a pause', async () => {
    const sale = await sold(at)
    const [{ period_start, period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    const second = (await invoicesOf(at, sale)).at(-1)
    expect((await at.acme.staff.post(`/invoices/${second.id}/pay`, { amount: '60.00' })).status).toBe(200)
    expect((await change(sale, { quantity: 3 })).data.invoiced_until).toBe(later(period_start, 2))
    expect((await at.acme.staff.post(`${pathOf(sale)}/pause`)).data.invoiced_until).toBe(later(period_start, 2))
    await at.acme.staff.post(`${pathOf(sale)}/resume`)
    await goTo(at, before(later(period_start, 2), 10))
    expect(await totalsOf(sale)).toEqual(['paid 105.00', 'open 105.00', 'open 157.50'])
    await pay(at, second.id)
    expect((await entitlementsOf(at, sale)).at(-1).expires_at).toBe(later(period_start, 2))
  })
  it('200: a period that is paid stays, and the change is of the one after it', async () => {
    const sale = await sold(at)
    const [{ period_start, period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    await pay(at, (await invoicesOf(at, sale)).at(-1).id)
    expect((await change(sale, { quantity: 3 })).data.invoiced_until).toBe(later(period_start, 2))
    await goTo(at, before(later(period_start, 2), 10))
    expect(await totalsOf(sale)).toEqual(['paid 105.00', 'paid 105.00', 'open 157.50'])
  })
  it('409 before it has begun, when it is charged automatically, and once it is cancelled', async () => {
    const [waiting, ending] = [await accepted(at, [MONTHLY]), await sold(at)]
    expect((await change(waiting, { quantity: 3 })).status).toBe(409)
    await at.acme.staff.post(pathOf(waiting), {})
    expect((await change(waiting, { quantity: 3 })).status).toBe(409)
    await at.acme.staff.post(`${pathOf(ending)}/cancel`, { at: 'period_end' })
    expect((await change(ending, { quantity: 3 })).status).toBe(409)
  })
  it('422 for a line that is billed once or given twice, and for amounts that are none', async () => {
    const sale = await sold(at, [SETUP, MONTHLY])
    const [{ code }] = await entitlementsOf(at, sale)
    expect(await fieldsOf(sale, { entitlement_code: code })).toEqual(['line_items.0.entitlement_code'])
    expect(await fieldsOf(sale, { quantity: 0 })).toEqual(['line_items.0.quantity'])
    expect(await fieldsOf(sale, { unit_price: '1.001' })).toEqual(['line_items.0.unit_price'])
    expect(await fieldsOf(sale, { discount: '100.01' })).toEqual(['line_items.0.discount'])
    const line = { entitlement_code: await codeOf(sale), quantity: 3 }
    const twice = await at.acme.staff.patch(pathOf(sale), { line_items: [line, line] })
    expect(Object.keys(twice.errors?.fields ?? {})).toEqual(['line_items.1.entitlement_code'])
    const elsewhere = await at.app.world.organization()
    const stranger = at.app.world.inside(at.acme.staff, elsewhere.id)
    expect((await stranger.patch(pathOf(sale), { line_items: [line] })).status).toBe(404)
  })
})

describe('the quantity of the entitlement', () => {
  it('is another when the period begins that is paid with it, also of its license', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await change(sale, { quantity: 8 })
    await goTo(at, before(period_end, 10))
    await pay(at, (await invoicesOf(at, sale)).at(-1).id)
    await goTo(at, before(period_end, 0.01))
    expect(await quantityOf(sale)).toBe(2)
    await goTo(at, period_end)
    expect([await quantityOf(sale), (await licenseOf(sale)).activations_limit]).toEqual([8, 8])
  })
  it('is another at once when the payment is late, and that of the period before after a refund', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await change(sale, { quantity: 1 })
    await goTo(at, before(period_end, -2))
    const { id } = (await invoicesOf(at, sale)).at(-1)
    expect(await quantityOf(sale)).toBe(2)
    await pay(at, id)
    expect([await quantityOf(sale), (await licenseOf(sale)).activations_limit]).toEqual([1, 1])
    await refundInvoice(at, sale, id)
    expect(await quantityOf(sale)).toBe(2)
  })
  it('that staff gave stays, and a license keeps the domains that are in use', async () => {
    const [given, used] = [await sold(at), await sold(at)]
    const [entitlement] = await entitlementsOf(at, given)
    await at.acme.staff.patch(`/entitlements/${entitlement.id}`, { quantity: 5 })
    const license = await licenseOf(used)
    for (const domain of ['a.example', 'b.example'])
      await at.app.database.query(
        `update licenses set activated_domains = activated_domains || $2::text where id = $1`,
        [license.id, domain],
      )
    for (const sale of [given, used]) {
      await change(sale, { quantity: 1 })
      const { invoiced_until } = await subscriptionOf(at, sale)
      await goTo(at, invoiced_until)
      await pay(at, (await invoicesOf(at, sale)).at(-1).id)
    }
    expect([await quantityOf(given), await quantityOf(used)]).toEqual([5, 1])
    expect((await licenseOf(used)).activations_limit).toBe(2)
    await change(used, { quantity: 6 })
    await goTo(at, (await subscriptionOf(at, used)).invoiced_until)
    await pay(at, (await invoicesOf(at, used)).at(-1).id)
    expect([await quantityOf(used), (await licenseOf(used)).activations_limit]).toEqual([6, 6])
  })
  it('leaves a license alone whose limit staff set below it, or above the new one', async () => {
    const sale = await sold(at)
    const { id, entitlement_id } = await licenseOf(sale)
    const more = (await at.acme.staff.post('/licenses', { entitlement_id, activations_limit: 1 })).data
    await at.acme.staff.patch(`/licenses/${id}`, { activations_limit: 9, reason: 'Agreed by phone' })
    await change(sale, { quantity: 6 })
    await goTo(at, (await subscriptionOf(at, sale)).invoiced_until)
    await pay(at, (await invoicesOf(at, sale)).at(-1).id)
    const limitOf = async (one: number) => (await at.buyer.get(`/licenses/${one}`)).data.activations_limit
    expect([await quantityOf(sale), await limitOf(id), await limitOf(more.id)]).toEqual([6, 9, 1])
  })
})
