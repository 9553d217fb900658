// What customers do with their subscriptions themselves, and what of it only the vendor does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buyerOf } from '#test/scenes/commerce.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import {
  before,
  type BillingScene,
  billingScene,
  goTo,
  invoicesOf,
  MONTHLY,
  pathOf,
  type Sale,
  sold,
  subscriptionOf,
} from '#test/scenes/own-billing.ts'

const DESK = 'desk@vendor.example'
let at: BillingScene
beforeAll(async () => {
  const environment = { ENTITY_BR_SELF_SERVICE: 'cancel,quantity,pause', SUPPORT_EMAIL: DESK }
  at = await billingScene({ environment })
})
afterAll(() => at.app.close())

const SEATS = { ...MONTHLY, quantity: 5, quantity_min: 2, quantity_max: 10, discount_percent: '10' }
const codeOf = async (sale: Sale): Promise<string> => (await subscriptionOf(at, sale)).line_items[0].entitlement_code
async function change(sale: Sale, line: object) {
  const line_items = [{ entitlement_code: await codeOf(sale), ...line }]
  return at.buyer.patch(pathOf(sale), { line_items })
}
const allow = (self_service: string[] | null) => at.acme.staff.put(`/organizations/${at.acme.id}`, { self_service })

describe('POST /orders/{id}/subscription/cancel of a customer', () => {
  it('200 for the end of the period, with the reason; both sides get a mail; taken back, it goes on', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    const reason = 'Temos “menos” gente 🙂'
    const { status, data } = await at.buyer.post(`${pathOf(sale)}/cancel`, { reason })
    expect(status).toBe(200)
    expect(data).toMatchObject({ ends_at: period_end, cancelled_by: 'customer', cancel_reason: reason })
    await at.app.service.worker.drain()
    const { number } = (await at.buyer.get(`/orders/${sale.order_id}`)).data
    for (const address of [DESK, at.buyer.email]) {
      const texts = (await mailsTo(at.app, address)).map(({ text }) => text).filter((text) => text.includes(number))
      expect(texts.filter((text) => text.includes(reason))).toHaveLength(1)
    }
    expect((await at.buyer.delete(`${pathOf(sale)}/cancel`)).data).toMatchObject({
      ends_at: null,
      cancelled_by: null,
      cancel_reason: null,
    })
    await goTo(at, before(period_end, 10))
    expect((await invoicesOf(at, sale)).map((one) => one.status)).toEqual(['paid', 'open'])
  })

  it('422 for now, since what is paid stays; 409 again; 404 for another organization', async () => {
    const sale = await sold(at)
    const path = `${pathOf(sale)}/cancel`
    const now = await at.buyer.post(path, { at: 'now' })
    expect([now.status, Object.keys(now.errors?.fields ?? {})]).toEqual([422, ['at']])
    const stranger = await buyerOf(await at.app.world.organization())
    expect((await stranger.post(path)).status).toBe(404)
    const both = await Promise.all([at.buyer.post(path), at.buyer.post(path)])
    expect(both.map((one) => one.status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  it('403 to take back what the vendor cancelled, or to resume what it paused', async () => {
    const [ending, paused] = [await sold(at), await sold(at)]
    const own = await at.acme.staff.post(`${pathOf(ending)}/cancel`, { at: 'period_end' })
    expect(own.data).toMatchObject({ cancelled_by: 'vendor', cancel_reason: null })
    expect((await at.buyer.delete(`${pathOf(ending)}/cancel`)).errors?.reason).toBe('no_self_service')
    await at.acme.staff.post(`${pathOf(paused)}/pause`)
    await at.buyer.post(`${pathOf(paused)}/cancel`)
    expect((await at.buyer.delete(`${pathOf(paused)}/cancel`)).data).toMatchObject({ status: 'paused' })
    expect((await at.buyer.post(`${pathOf(paused)}/resume`)).errors?.reason).toBe('no_self_service')
    expect((await at.acme.staff.post(`${pathOf(paused)}/resume`)).data.paused_by).toBeNull()
  })

  it('200 at the very end of the period: it has ended, and cannot be taken back any more', async () => {
    const sale = await sold(at)
    const [{ period_end }] = await invoicesOf(at, sale)
    await at.buyer.post(`${pathOf(sale)}/cancel`)
    await goTo(at, period_end)
    expect((await at.buyer.delete(`${pathOf(sale)}/cancel`)).status).toBe(409)
    expect(await subscriptionOf(at, sale)).toMatchObject({ status: 'canceled', cancelled_by: 'customer' })
  })
})

describe('PATCH /orders/{id}/subscription of a customer', () => {
  it('200 within the bounds of the line, with its discount in percent; 422 beyond', async () => {
    const sale = await sold(at, [SEATS])
    const [{ period_end }] = await invoicesOf(at, sale)
    // 8 × 50.00 less 10 %, and 5 % tax.
    expect((await change(sale, { quantity: 8 })).data).toMatchObject({
      amount: '378.00',
      line_items: [{ quantity: 8, quantity_min: 2, quantity_max: 10, discount: '40.00', discount_percent: '10.00' }],
    })
    for (const [quantity, sentence, code] of [
      [1, 'must be at least 2', 'too_small'],
      [11, 'must be at most 10', 'too_large'],
    ])
      expect((await change(sale, { quantity })).errors).toMatchObject({
        fields: { 'line_items.0.quantity': sentence },
        field_codes: { 'line_items.0.quantity': code },
      })
    await goTo(at, before(period_end, 10))
    expect((await invoicesOf(at, sale)).map((one) => one.total)).toEqual(['236.25', '378.00'])
  })

  it('422 for a price, and for a line that is fixed until the vendor gives it bounds', async () => {
    const sale = await sold(at)
    const price = await change(sale, { quantity: 3, unit_price: '1.00', quantity_max: 99 })
    expect(Object.keys(price.errors?.fields ?? {})).toEqual(['line_items.0.unit_price', 'line_items.0.quantity_max'])
    expect((await change(sale, { quantity: 3 })).errors?.fields).toEqual({
      'line_items.0.quantity': 'is fixed: ask the vendor for another one',
    })
    const line = { entitlement_code: await codeOf(sale), quantity_max: 4 }
    expect((await at.acme.staff.patch(pathOf(sale), { line_items: [line] })).status).toBe(200)
    expect((await change(sale, { quantity: 3 })).data.line_items[0]).toMatchObject({ quantity: 3, quantity_max: 4 })
    const fixed = { entitlement_code: line.entitlement_code, quantity_min: null, quantity_max: null }
    await at.acme.staff.patch(pathOf(sale), { line_items: [fixed] })
    expect((await change(sale, { quantity: 2 })).status).toBe(422)
  })

  it('200 for the same plan, which withdraws no invoice', async () => {
    const sale = await sold(at, [SEATS])
    const [{ period_end }] = await invoicesOf(at, sale)
    await goTo(at, before(period_end, 10))
    for (const line of [{}, { quantity: 5 }]) expect((await change(sale, line)).status).toBe(200)
    expect((await invoicesOf(at, sale)).map((one) => one.status)).toEqual(['paid', 'open'])
  })

  it('shows with a dry run what the next periods would bill', async () => {
    const sale = await sold(at, [SEATS])
    const line_items = [{ entitlement_code: await codeOf(sale), quantity: 10 }]
    const { records } = (await at.buyer.patch(`${pathOf(sale)}?dry_run=true`, { line_items })).data
    expect(records[0]).toMatchObject({
      before: { subscription_amount: '236.25' },
      after: { subscription_amount: '472.50' },
    })
    expect((await subscriptionOf(at, sale)).amount).toBe('236.25')
  })
})

describe('what the vendor allows', () => {
  it('is the list of the organization, else that of the legal entity', async () => {
    const sale = await sold(at)
    expect((await at.buyer.post(`${pathOf(sale)}/pause`)).data).toMatchObject({ paused_by: 'customer' })
    expect((await at.buyer.post(`${pathOf(sale)}/resume`)).data).toMatchObject({ paused_by: null, status: 'active' })
    expect((await allow([])).status).toBe(200)
    expect((await subscriptionOf(at, sale)).self_service).toEqual([])
    for (const act of ['cancel', 'pause', 'resume'])
      expect((await at.buyer.post(`${pathOf(sale)}/${act}`)).errors?.reason).toBe('no_self_service')
    expect((await change(sale, { quantity: 3 })).status).toBe(403)
    await allow(['pause'])
    expect((await at.buyer.get('/subscriptions')).data[0].self_service).toEqual(['pause'])
    expect((await at.buyer.post(`${pathOf(sale)}/pause`)).status).toBe(200)
    await allow(null)
    expect((await subscriptionOf(at, sale)).self_service).toEqual(['cancel', 'quantity', 'pause'])
  })

  it('403 for a customer who would allow it, and without the scope; 422 for another act', async () => {
    const own = await at.acme.owner.put(`/organizations/${at.acme.id}`, { self_service: ['pause'] })
    expect(own.status).toBe(422)
    expect((await at.acme.staff.put(`/organizations/${at.acme.id}`, { self_service: ['refund'] })).status).toBe(422)
    const sale = await sold(at)
    const reader = await at.acme.member({ scopes: ['finances'] })
    expect((await reader.post(`${pathOf(sale)}/cancel`)).status).toBe(403)
  })
})
