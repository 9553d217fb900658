// Requests for quotes: what a customer chooses from the catalogue, drafted or declined by staff.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer } from '#test/harness/world.ts'
import { buyerOf } from '#test/scenes/commerce.ts'

const DESK = 'desk@vendor.example'
const PATH = '/quotes/requests'

const product = async (sku: string, more: object = {}): Promise<number> => {
  const body = { sku, name: `Product ${sku}`, entitlement_class: 'PLG', ...more }
  return (await acme.staff.post('/admin/products', body)).data.id
}

const app = await appOfFile({ environment: { SUPPORT_EMAIL: DESK } })
const acme = await app.world.organization()
const other = await app.world.organization()
const buyer = await buyerOf(acme)
const backup: number = await product('BACKUP')
const retired: number = await product('OLD', { active: false })
const unpriced: number = await product('NEW')
const price = { company: 'entity_br', currency: 'BRL', unit_price: '33.33', term_months: 12, tax_percent: '5' }
await acme.staff.post(`/admin/products/${backup}/prices`, price)

const wanted = (product_id = backup, quantity = 3) => ({ currency: 'BRL', line_items: [{ product_id, quantity }] })
const requested = async (body: object = wanted()): Promise<Answer['data']> => {
  const answer = await buyer.post(PATH, body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}
const draft = (id: number, more: object = {}) =>
  acme.staff.post(`${PATH}/${id}/draft`, { valid_until: '2099-12-31', ...more })
const decline = (id: number, reason: unknown = 'Not in your country') =>
  acme.staff.post(`${PATH}/${id}/decline`, { reason })

describe('GET /products', () => {
  it('200 with what is sold, without prices', async () => {
    const { data, meta } = await buyer.get('/products?search=product')
    expect(meta?.total).toBe(2)
    expect(data.map(({ sku }: { sku: string }) => sku).toSorted()).toEqual(['BACKUP', 'NEW'])
    expect(Object.keys(data[0])).not.toContain('prices')
  })
})

describe('POST /quotes/requests', () => {
  it('201, and staff are mailed', async () => {
    const data = await requested({ ...wanted(), notes: 'For our second campus' })
    expect(data).toMatchObject({
      status: 'open',
      company: 'entity_br',
      line_items: [{ product_id: backup, product_name: 'Product BACKUP', quantity: 3 }],
      requested_by: buyer.userId,
      quote_id: null,
    })
    const [mail] = await mailsTo(app, DESK)
    expect(mail?.text).toContain('For our second campus')
  })
  it.each([
    ['line_items.0.product_id', () => wanted(retired)],
    ['line_items.0.product_id', () => wanted(999_999)],
    ['line_items.0.quantity', () => wanted(backup, 0)],
    ['line_items', () => ({ currency: 'BRL', line_items: [] })],
    ['currency', () => ({ ...wanted(), currency: 'XYZ' })],
    ['organization_id', () => ({ ...wanted(), organization_id: other.id })],
    [
      'line_items.0.unit_price',
      () => ({ currency: 'BRL', line_items: [{ product_id: backup, quantity: 1, unit_price: '1' }] }),
    ],
  ])('422 on %s', async (field, body) => {
    const answer = await buyer.post(PATH, body())
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [field]])
  })
  it('403 without the scope', async () => {
    const member = await acme.member({ scopes: ['tickets'] })
    expect((await member.post(PATH, wanted())).status).toBe(403)
  })
  it('409 while 20 are open, also for two at once', async () => {
    const org = await app.world.organization()
    const member = await buyerOf(org)
    for (let count = 0; count < 19; count++) expect((await member.post(PATH, wanted())).status).toBe(201)
    const both = await Promise.all([member.post(PATH, wanted()), member.post(PATH, wanted())])
    expect(both.map(({ status }) => status).toSorted((one, another) => one - another)).toEqual([201, 409])
    const [first] = (await member.get(PATH)).data
    expect((await member.post(`${PATH}/${first.id}/withdraw`)).data.status).toBe('withdrawn')
    expect((await member.post(PATH, wanted())).status).toBe(201)
  })
})

describe('POST /quotes/requests/{id}/draft', () => {
  it('201 at the prices of the catalogue; the customer sees the quote when it is sent', async () => {
    const { id } = await requested()
    const { status, data: quote } = await draft(id)
    expect(status).toBe(201)
    // 3 × 33.33 = 99.99, plus 5 %.
    expect(quote).toMatchObject({ status: 'draft', subtotal: '99.99', tax_total: '5.00', total: '104.99' })
    expect((await buyer.get(`${PATH}/${id}`)).data).toMatchObject({ status: 'drafted', quote_id: quote.id })
    expect((await buyer.get(`/quotes/${quote.id}`)).status).toBe(404)
    await acme.staff.post(`/quotes/${quote.id}/send`)
    expect((await buyer.get(`/quotes/${quote.id}`)).data.status).toBe('viewed')
  })
  it('422 for a product without a price, 201 with lines that have one', async () => {
    const { id } = await requested(wanted(unpriced))
    expect(Object.keys((await draft(id)).errors?.fields ?? {})).toEqual(['line_items.0.product_id'])
    const line_items = [{ product_id: unpriced, quantity: 2, unit_price: '10.00' }]
    expect((await draft(id, { line_items })).data.total).toBe('20.00')
  })
  it('409 for the second of two at once, which leaves no quote', async () => {
    const { id } = await requested()
    const before = (await acme.staff.get('/quotes')).meta?.total ?? 0
    const both = await Promise.all([draft(id), draft(id)])
    expect(both.map(({ status }) => status).toSorted((one, another) => one - another)).toEqual([201, 409])
    expect((await acme.staff.get('/quotes')).meta?.total).toBe(before + 1)
  })
  it('409 when it was withdrawn, 422 on a day in the past', async () => {
    const { id } = await requested()
    expect(Object.keys((await draft(id, { valid_until: '2020-01-01' })).errors?.fields ?? {})).toEqual(['valid_until'])
    await buyer.post(`${PATH}/${id}/withdraw`)
    expect((await draft(id)).status).toBe(409)
    expect((await buyer.post(`${PATH}/${id}/withdraw`)).status).toBe(409)
  })
  it('403 for customers', async () => {
    const { id } = await requested()
    expect((await acme.owner.post(`${PATH}/${id}/draft`, { valid_until: '2099-12-31' })).status).toBe(403)
  })
})

describe('POST /quotes/requests/{id}/decline', () => {
  it('200, and the customer is mailed the reason', async () => {
    const { id } = await requested()
    expect((await decline(id, 'Not sold to schools')).data).toMatchObject({
      status: 'declined',
      decline_reason: 'Not sold to schools',
    })
    const mails = await mailsTo(app, buyer.email)
    expect(mails.some(({ text }) => text.includes('Not sold to schools'))).toBe(true)
    expect((await decline(id)).status).toBe(409)
  })
  it('409 while its quote is not cancelled, 422 without a reason', async () => {
    const { id } = await requested()
    const { data: quote } = await draft(id)
    expect((await decline(id)).status).toBe(409)
    await acme.staff.post(`/quotes/${quote.id}/cancel`)
    expect((await decline(id, ' ')).status).toBe(422)
    expect((await decline(id)).status).toBe(200)
  })
})

describe('the lists', () => {
  it('200 by status, of the organization; of all for administrators', async () => {
    const org = await app.world.organization()
    const member = await buyerOf(org)
    const { data } = await member.post(PATH, wanted())
    expect((await member.get(`${PATH}?status=open`)).data).toEqual([data])
    expect((await member.get(`${PATH}?status=declined`)).meta?.total).toBe(0)
    const all = (await acme.staff.get(`/admin${PATH}?organization_id=${org.id}`)).data
    expect(all).toEqual([{ ...data, organization_name: expect.any(String) }])
    expect((await member.get(`/admin${PATH}`)).status).toBe(403)
  })
  it('404 in another organization', async () => {
    const { id } = await requested()
    const stranger = await buyerOf(other)
    expect((await stranger.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await stranger.post(`${PATH}/${id}/withdraw`)).status).toBe(404)
    expect((await other.staff.post(`${PATH}/${id}/decline`, { reason: 'No' })).status).toBe(404)
  })
})
