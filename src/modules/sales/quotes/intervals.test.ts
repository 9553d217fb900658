// Prices and lines that are billed again, over HTTP: from the catalogue to quote, preview, order and the first invoice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import {
  type BillingScene,
  billingScene,
  entitlementsOf,
  MONTHLY,
  pay,
  SETUP,
  YEARLY,
} from '#test/scenes/own-billing.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const problemsOf = async (line_items: object[]) => {
  const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items }
  const { status, errors } = await at.acme.staff.post('/quotes', body)
  expect(status).toBe(422)
  return Object.keys(errors?.fields ?? {})
}

async function product(price: object): Promise<number> {
  const staff = at.acme.staff
  const sku = `P-${crypto.randomUUID().slice(0, 8)}`
  const { id } = (await staff.post('/admin/products', { sku, name: 'Backup', entitlement_class: 'PLG' })).data
  const body = { company: 'entity_br', currency: 'BRL', unit_price: '50.00', ...price }
  const answer = await staff.post(`/admin/products/${id}/prices`, body)
  expect(answer.status, answer.raw.body).toBe(201)
  return id
}

describe('a line', () => {
  it('has an interval from the price of its product, unless it says otherwise', async () => {
    const [monthly, once] = [await product({ interval: 'month' }), await product({ term_months: 12 })]
    const lines = [
      { product_id: monthly, quantity: 1 },
      { product_id: monthly, quantity: 1, interval: null },
      { product_id: once, quantity: 1, interval: 'month' },
      { product_id: once, quantity: 1 },
    ]
    const { line_items } = await draftQuote(at.acme, { line_items: lines })
    const terms = line_items.map(({ interval, term_months }: Record<string, unknown>) => [interval, term_months])
    expect(terms).toEqual([
      ['month', null],
      [undefined, null],
      ['month', null],
      [undefined, 12],
    ])
  })
  it('422 for two intervals in one quote, and for an interval with a term', async () => {
    expect(await problemsOf([MONTHLY, SETUP, YEARLY])).toEqual(['line_items.2.interval'])
    expect(await problemsOf([{ ...MONTHLY, term_months: 12 }])).toEqual(['line_items.0.term_months'])
    expect(await problemsOf([{ ...MONTHLY, interval: 'week' }])).toEqual(['line_items.0.interval'])
  })
})

describe('a price', () => {
  it('201 with an interval, which the product shows; 422 with a term too', async () => {
    const id = await product({ interval: 'year' })
    const { prices } = (await at.acme.staff.get(`/admin/products/${id}`)).data
    expect(prices).toMatchObject([{ interval: 'year', term_months: null }])
    const both = { company: 'entity_br', currency: 'BRL', unit_price: '1.00', interval: 'month', term_months: 3 }
    const { status, errors } = await at.acme.staff.post(`/admin/products/${id}/prices`, both)
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['term_months']])
  })
})

it('is previewed as it is sold: all lines on the first invoice, an entitlement to the end of the first period', async () => {
  const id = await sentQuote(at.acme, { line_items: [SETUP, MONTHLY] })
  const preview = (await at.buyer.post(`/quotes/${id}/preview`)).data
  expect(preview.invoice.total).toBe('405.00')
  const end = addMonths(at.app.clock.now, 1, 'America/Sao_Paulo').toISOString()
  expect(preview.entitlements[1].expires_at).toBe(end)
  await at.buyer.post(`/quotes/${id}/accept`)
  const { order_id, invoice_id } = (await at.buyer.get(`/quotes/${id}/payment`)).data
  const { items } = (await at.buyer.get(`/orders/${order_id}`)).data
  expect(items.map(({ interval }: { interval?: string }) => interval)).toEqual([undefined, 'month'])
  await pay(at, invoice_id)
  const [, sold] = await entitlementsOf(at, { order_id, invoice_id })
  expect(sold.expires_at).toBe(end)
})
