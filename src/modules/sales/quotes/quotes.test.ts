// Quotes as staff create them and customers see them; accept-quote.test.ts, lines.test.ts and others have the rest.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Açaí & “Cia” 🫐' })
const other = await app.world.organization({ country: 'US' })
const buyer = await buyerOf(acme)

const at = (id: number, act = '') => `/quotes/${id}${act}`

describe('POST /quotes', () => {
  it('201 with exact amounts', async () => {
    const lines = [
      { ...LICENSE_LINE, quantity: 3, unit_price: '0.1' },
      { ...LICENSE_LINE, unit_price: '19.99' },
    ]
    expect(await draftQuote(acme, { line_items: lines })).toMatchObject({
      status: 'draft',
      subtotal: '100.25',
      total: '100.25',
      line_items: [
        { unit_price: '0.10', total: '0.30' },
        { unit_price: '19.99', total: '99.95' },
      ],
      order_id: null,
      entitlement_ids: [],
    })
  })
  it('201 in currencies with no digits and with three', async () => {
    const yen = await draftQuote(acme, { currency: 'JPY', line_items: [{ ...LICENSE_LINE, unit_price: '150' }] })
    expect(yen.total).toBe('750')
    const dinar = await draftQuote(acme, { currency: 'KWD', line_items: [{ ...LICENSE_LINE, unit_price: '1.5' }] })
    expect(dinar.total).toBe('7.500')
  })
  it('201 for the legal entity of the header, else of the country', async () => {
    const body = { currency: 'USD', valid_until: '2099-12-31', line_items: [LICENSE_LINE] }
    expect((await other.staff.post('/quotes', body)).data.company).toBe('entity_global')
    const asked = await acme.staff.post('/quotes', body, { 'x-service-company': 'entity_global' })
    expect(asked.data.company).toBe('entity_global')
    expect((await acme.staff.post('/quotes', body, { 'x-service-company': 'entity_mars' })).status).toBe(400)
  })
  it('201 with purchase order and affiliate code, which the order keeps', async () => {
    const more = { purchase_order: 'PO-7', affiliate_code: 'AFL-20261100012' }
    const quote = await draftQuote(acme, more)
    expect(quote).toMatchObject({ ...more, version: 1, supersedes_id: null, superseded_by_id: null })
    expect((await acme.staff.put(at(quote.id), { affiliate_code: null })).data).toMatchObject({ affiliate_code: null })
    await acme.staff.put(at(quote.id), { affiliate_code: more.affiliate_code })
    await acme.staff.post(at(quote.id, '/send'))
    const { data } = await buyer.post(at(quote.id, '/accept'))
    expect((await buyer.get(`/orders/${data.order_id}`)).data).toMatchObject(more)
  })
  it('403 for customers, owners included', async () => {
    expect((await acme.owner.post('/quotes', {})).status).toBe(403)
  })
  it.each([
    ['currency', { currency: 'XYZ' }],
    ['currency', { currency: 'brl' }],
    ['valid_until', { valid_until: '2020-01-01' }],
    ['valid_until', { valid_until: '2099-02-30' }],
    ['line_items', { line_items: [] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: '1.001' }] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: '-1' }] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: 10 }] }],
    ['line_items.0.unit_price', { line_items: [{ ...LICENSE_LINE, unit_price: '1e3' }] }],
    ['line_items.0.quantity', { line_items: [{ ...LICENSE_LINE, quantity: 0 }] }],
    ['line_items.0.quantity', { line_items: [{ ...LICENSE_LINE, quantity: '5' }] }],
    ['line_items', { line_items: [{ ...LICENSE_LINE, quantity: 1_000_000, unit_price: '999999999.99' }] }],
    ['line_items.0.product_name', { line_items: [{ ...LICENSE_LINE, product_name: undefined }] }],
    ['purchase_order', { purchase_order: 'x'.repeat(256) }],
    ['affiliate_code', { affiliate_code: 'PLG-2026110001' }],
    ['affiliate_code', { affiliate_code: 'AFL-20261101' }],
    ['version', { version: 2 }],
    ['total', { total: '1.00' }],
    ['status', { status: 'accepted' }],
    ['notes', { notes: 'nul \u0000 here' }],
  ])('422 on %s', async (field, change) => {
    const body = { currency: 'BRL', valid_until: '2099-12-31', line_items: [LICENSE_LINE], ...change }
    const answer = await acme.staff.post('/quotes', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {})).toEqual([field])
  })
})

describe('GET /quotes', () => {
  it('200 without drafts for customers, in the total too', async () => {
    const org = await app.world.organization()
    const customer = await buyerOf(org)
    await draftQuote(org)
    const sent = await sentQuote(org)
    expect((await org.staff.get('/quotes')).meta?.total).toBe(2)
    const answer = await customer.get('/quotes')
    expect(answer.data.map((quote: { id: number }) => quote.id)).toEqual([sent])
    expect(answer.meta).toMatchObject({ total: 1, pages: 1 })
    expect((await customer.get('/quotes?status=draft')).meta?.total).toBe(0)
  })
  it('422 on an unknown status and an unknown parameter', async () => {
    const answer = await buyer.get('/quotes?status=open&colour=red&page=0')
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual(['colour', 'page', 'status'])
  })
})

describe('GET /quotes/{id}', () => {
  it('404 for a draft, 200 for staff', async () => {
    const { id } = await draftQuote(acme)
    expect((await buyer.get(at(id))).status).toBe(404)
    expect((await acme.staff.get(at(id))).status).toBe(200)
  })
  it('200, and viewed at the first GET by a customer, once', async () => {
    const id = await sentQuote(acme)
    expect((await acme.staff.get(at(id))).data.status).toBe('sent')
    const looks = await Promise.all(Array.from({ length: 8 }, () => buyer.get(at(id))))
    expect(looks.map((look) => look.data.status)).toEqual(looks.map(() => 'viewed'))
    const events = await app.database.query(
      `select id from events where type = 'titular/quote/viewed' and resource_id = $1`,
      [id],
    )
    expect(events).toHaveLength(1)
  })
})

describe('PUT /quotes/{id}', () => {
  it('200 for a draft, changing the given fields', async () => {
    const { id } = await draftQuote(acme, { notes: 'first' })
    const answer = await acme.staff.put(at(id), { line_items: [{ ...LICENSE_LINE, quantity: 1 }] })
    expect(answer.data).toMatchObject({ total: '30.00', notes: 'first' })
    expect((await acme.staff.put(at(id), { notes: null })).data.notes).toBeNull()
  })
  it('409 when it has been sent', async () => {
    expect((await acme.staff.put(at(await sentQuote(acme)), { notes: 'late' })).status).toBe(409)
  })
  it('422 when the amounts have too many digits for the new currency', async () => {
    const { id } = await draftQuote(acme, { line_items: [{ ...LICENSE_LINE, unit_price: '1.50' }] })
    expect((await acme.staff.put(at(id), { currency: 'JPY' })).status).toBe(422)
  })
  it('404 for another organization’s', async () => {
    const { id } = await draftQuote(acme)
    expect((await other.staff.put(at(id), { notes: 'x' })).status).toBe(404)
  })
})

describe('POST /quotes/{id}/send', () => {
  it('409 when it has been sent already', async () => {
    expect((await acme.staff.post(at(await sentQuote(acme), '/send'))).status).toBe(409)
  })
  it('200 and a mail to each member who may decide', async () => {
    const org = await app.world.organization()
    const one = await buyerOf(org)
    await org.member({ scopes: ['orders'] })
    const id = await sentQuote(org)
    await app.service.worker.drain()
    const mails = (await app.service.sandbox?.mail?.list()) ?? []
    const about = mails.filter(({ subject }) => subject.includes(`Q-${id}`))
    expect(about.map(({ to }) => to).toSorted()).toEqual([one.email, org.owner.email].toSorted())
  })
})

describe('POST /quotes/{id}/cancel', () => {
  it('200 cancels its order and voids its invoice', async () => {
    const id = await sentQuote(acme)
    const { data } = await buyer.post(at(id, '/accept'))
    expect((await acme.staff.post(at(id, '/cancel'))).data.status).toBe('cancelled')
    expect((await buyer.get(`/orders/${data.order_id}`)).data.status).toBe('cancelled')
    expect((await buyer.get(`/invoices/order/${data.order_id}`)).data[0].status).toBe('void')
    expect((await acme.staff.post(at(id, '/cancel'))).status).toBe(409)
  })
})

describe('GET /quotes/{id}/payment', () => {
  it('409 before acceptance', async () => {
    expect((await buyer.get(at(await sentQuote(acme), '/payment'))).status).toBe(409)
  })
  it('200 without a link until the provider has answered', async () => {
    const id = await sentQuote(acme)
    const { data } = await buyer.post(at(id, '/accept'))
    expect((await buyer.get(at(id, '/payment'))).data).toEqual({
      quote_id: id,
      order_id: data.order_id,
      invoice_id: expect.any(Number),
      status: 'unpaid',
      amount: '150.00',
      currency: 'BRL',
      payment_method: null,
      paid_at: null,
      checkout_url: null,
    })
  })
  it('403 without one of the two scopes, naming it', async () => {
    const id = await sentQuote(acme)
    const half = await acme.member({ scopes: ['quotes'] })
    expect((await half.get(at(id, '/payment'))).message).toBe('Scope not authorized: finances')
    const otherHalf = await acme.member({ scopes: ['finances'] })
    expect((await otherHalf.get(at(id, '/payment'))).message).toBe('Scope not authorized: quotes')
  })
})
