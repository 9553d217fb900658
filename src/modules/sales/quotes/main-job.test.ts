// The whole way of a quote, from draft to entitlements, over real HTTP with the payment sandbox.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { eventually } from '#test/scenes/commerce.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let buyer: Speaker

const hooked: unknown[] = []

beforeAll(async () => {
  app = await startApp({ listens: true, hooks: { 'titular/quote/paid': (event) => void hooked.push(event) } })
  acme = await app.world.organization()
  buyer = await acme.member({ scopes: ['quotes', 'finances', 'orders', 'licenses', 'entitlements'] })
})
afterAll(() => app.close())

const lines = [
  { product_name: 'Backup “Pro”', quantity: 5, unit_price: '19.90', entitlement_class: 'PLG', term_months: 12 },
  { product_name: 'Hosting', quantity: 1, unit_price: '300', entitlement_class: 'ENV', term_months: 1 },
  { product_name: 'Migration', quantity: 2, unit_price: '1000.5', entitlement_class: 'SVC' },
  { product_name: 'Partners', quantity: 1, unit_price: '0', entitlement_class: 'AFL' },
  { product_name: 'Course', quantity: 3, unit_price: '10', entitlement_class: 'EDU' },
]

async function sentQuote(): Promise<number> {
  const draft = await acme.staff.post('/quotes', { currency: 'BRL', valid_until: '2099-12-31', line_items: lines })
  expect(draft.status).toBe(201)
  expect((await acme.staff.post(`/quotes/${draft.data.id}/send`)).status).toBe(200)
  return draft.data.id
}

async function pay(checkoutUrl: string, outcome: string): Promise<void> {
  const response = await fetch(checkoutUrl, {
    method: 'POST',
    body: new URLSearchParams({ outcome }),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
}

/** Runs the jobs until the quote has the status. */
async function until(id: number, status: string): Promise<void> {
  const look = async () => (await buyer.get(`/quotes/${id}`)).data.status
  await eventually(app, look, (seen) => seen === status)
}

describe('a quote', () => {
  it('is invisible as a draft, viewed at the first GET, accepted, paid and fulfilled', async () => {
    const id = await sentQuote()
    const seen = await buyer.get(`/quotes/${id}`)
    expect(seen.data).toMatchObject({ status: 'viewed', total: '2430.50', currency: 'BRL', company: 'entity_br' })
    const accepted = await buyer.post(`/quotes/${id}/accept`)
    expect(accepted).toMatchObject({ status: 200, data: { quote_id: id, status: 'accepted' } })
    expect((await buyer.post(`/quotes/${id}/accept`)).status).toBe(409)
    await app.service.worker.drain()
    const payment = await buyer.get(`/quotes/${id}/payment`)
    expect(payment.data).toMatchObject({ status: 'unpaid', amount: '2430.50', order_id: accepted.data.order_id })
    await pay(payment.data.checkout_url, 'paid')
    await until(id, 'fulfilled')
    const order = await buyer.get(`/orders/${accepted.data.order_id}`)
    expect(order.data).toMatchObject({ status: 'completed', total: '2430.50', items_count: 5 })
    expect(order.data.entitlements).toHaveLength(5)
    const license = await buyer.get('/licenses')
    expect(license.data[0]).toMatchObject({ activations_limit: 5, activations_count: 0, product_name: 'Backup “Pro”' })
    const lineage = await buyer.get(`/entitlements/code/${license.data[0].entitlement_code}/lineage`)
    expect(lineage.data).toMatchObject({ quote: { id }, order: { id: accepted.data.order_id }, contracts: null })
    expect(lineage.data.invoices[0]).toMatchObject({ status: 'paid', number: 'BR-000001' })
    expect((await buyer.get(`/quotes/${id}/payment`)).data.status).toBe('paid')
    expect(hooked).toHaveLength(1)
    expect(hooked[0]).toMatchObject({ type: 'titular/quote/paid', resourceId: id })
  })
})
