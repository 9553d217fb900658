// Invoices by staff: their fields, while they are drafts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pressPay } from '#test/scenes/commerce.ts'
import type { Answer } from '#test/harness/world.ts'
import { type HandScene, handScene, LINES } from '#test/scenes/invoices-by-hand.ts'

let app: HandScene['app']
let acme: HandScene['acme']
let buyer: HandScene['buyer']
let write: HandScene['write']
let act: HandScene['act']

beforeAll(async () => {
  ;({ app, acme, buyer, write, act } = await handScene())
})
afterAll(() => app.close())

const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {})]

describe('POST /invoices', () => {
  it('201 with a draft that is not visible to customers', async () => {
    const { status, data } = await write({ notes: 'Per contract' })
    expect(status).toBe(201)
    const sums = { subtotal: '160.50', discount_total: '0.00', tax_total: '0.00', total: '160.50', total_cents: 16_050 }
    expect(data).toMatchObject({ status: 'draft', number: `DRAFT-${data.id}`, ...sums, amount_due: '160.50' })
    expect(data).toMatchObject({ billing: null, finalized_at: null, credit_note_ids: [], order_id: null })
    expect((await buyer.get(`/invoices/${data.id}`)).status).toBe(404)
    expect((await buyer.get(`/invoices/${data.id}/pdf`)).status).toBe(404)
    expect((await buyer.get('/invoices?status=draft')).meta?.total).toBe(0)
    expect((await buyer.get(`/search?q=DRAFT-${data.id}`)).data).toEqual([])
    await acme.staff.patch(`/invoices/${data.id}`, { notes: 'Secret price' })
    await act(data.id, 'void')
    expect((await buyer.get(`/invoices/${data.id}`)).status).toBe(404)
    const auditor = await acme.member({ scopes: ['organization'] })
    expect((await auditor.get('/audit-log?resource=invoice')).data).toEqual([])
    expect((await acme.staff.get('/audit-log?resource=invoice')).data.length).toBeGreaterThan(2)
  })
  it.each([
    [16_050, undefined],
    ['160.50', undefined],
    ['160.5', 16_050],
    [undefined, 16_050],
  ])('201 with the total %j and total_cents %j that agree with the lines', async (total, total_cents) => {
    expect((await write({ ...(total !== undefined && { total }), ...(total_cents && { total_cents }) })).status).toBe(
      201,
    )
  })
  it('201 with one line from a total alone', async () => {
    const { data } = await write({ total: 15_000, line_items: undefined })
    expect(data).toMatchObject({ total: '150.00', total_cents: 15_000 })
    expect(data.line_items).toMatchObject([{ quantity: 1, unit_price: '150.00', total: '150.00' }])
  })
  it('201 with discounts and taxes per line', async () => {
    const line = { product_name: 'Seats', quantity: 3, unit_price: '33.33', tax_percent: '5', term_months: 12 }
    const lines = [
      { ...line, discount: '9.99' },
      { ...line, discount_percent: '10' },
    ]
    const { data } = await write({ line_items: lines, total: 18_899, purchase_order: 'PO 7' })
    const sums = { subtotal: '199.98', discount_total: '19.99', tax_total: '9.00', total: '188.99' }
    expect(data).toMatchObject({ ...sums, purchase_order: 'PO 7' })
    expect(data.line_items).toMatchObject([
      { subtotal: '99.99', discount: '9.99', tax_rate: '5.00', tax: '4.50', total: '94.50' },
      { subtotal: '99.99', discount: '10.00', tax: '4.50', total: '94.49' },
    ])
    const open = (await act(data.id, 'finalize')).data
    expect(open).toMatchObject({ ...sums, amount_due: '188.99' })
    await app.service.worker.drain()
    expect(await pressPay((await buyer.get(`/invoices/${data.id}`)).data.link)).toBe(303)
  })
  it.each([
    ['JPY', 15_000, '15000'],
    ['KWD', 15_000, '15.000'],
    ['USD', 0, '0.00'],
  ])('201 with the digits of %s', async (currency, total, amount) => {
    const { data } = await write({ currency, total, line_items: undefined })
    expect([data.total, data.total_cents, data.amount_due]).toEqual([amount, total, amount])
  })
  it('201 for lines that name an entitlement of the organization', async () => {
    const created = await acme.staff.post('/entitlements', {
      class: 'SVC',
      product_name: 'Service',
      organization_id: acme.id,
      company: 'entity_br',
    })
    const line = { ...LINES[0], entitlement_code: created.data.code }
    expect((await write({ line_items: [line] })).data.line_items[0].entitlement_class).toBe('SVC')
    const other = await app.world.organization()
    const foreign = await other.staff.post('/invoices', { currency: 'BRL', line_items: [line] })
    expect(fieldsOf(foreign)).toEqual([422, ['line_items.0.entitlement_code']])
  })
  it.each([
    ['total', { total: '160.51' }],
    ['total', { total: 16_051 }],
    ['total', { total: '160.505' }],
    ['total', { total: '-1', line_items: undefined }],
    ['total', { total: -1, line_items: undefined }],
    ['total', { total: 1.5, line_items: undefined }],
    ['total', { total: 1e300, line_items: undefined }],
    ['total', { line_items: undefined }],
    ['total_cents', { total: '160.50', total_cents: 1 }],
    ['total_cents', { total_cents: 1 }],
    ['currency', { currency: 'XXQ' }],
    ['due_date', { issue_date: '2999-01-02', due_date: '2999-01-01' }],
    ['issue_date', { issue_date: '2026-02-30' }],
    ['link', { link: 'javascript:alert(1)' }],
    ['origin', { number: 'X-1', origin: 'agreement' }],
    ['number', { number: 'BR-000001', origin: 'import' }],
    ['number', { number: 'gl2-7', origin: 'import' }],
    ['number', { number: 'DRAFT-1', origin: 'import' }],
    ['origin', { origin: 'order' }],
    ['origin', { origin: 'subscription' }],
    ['order_id', { order_id: 999_999_999 }],
    ['status', { status: 'paid' }],
    ['line_items', { line_items: [] }],
    ['line_items.0.unit_price', { line_items: [{ ...LINES[0], unit_price: '1.001' }] }],
    ['line_items.0.discount', { line_items: [{ ...LINES[0], discount: '150.01' }] }],
    ['line_items.0.tax_percent', { line_items: [{ ...LINES[0], tax_percent: '100.01' }] }],
    ['line_items.0.entitlement_code', { line_items: [{ ...LINES[0], entitlement_code: 'PLG-1999010001' }] }],
    ['line_items', { line_items: [{ ...LINES[0], quantity: 1_000_000, unit_price: '9999999999999.99' }] }],
    ['notes', { notes: 'x'.repeat(20_001) }],
    ['organization_id', { organization_id: 999_999 }],
  ])('422 on %s', async (field, body) => {
    expect(fieldsOf(await write(body))).toEqual([422, [field]])
  })
  it('201 with the eight fields of an import alone; with a number its origin is import', async () => {
    const eight = {
      number: 'NF-2025/0815',
      status: 'open',
      total: 123_456,
      currency: 'BRL',
      issue_date: '2025-11-03',
      due_date: '2025-11-30',
      payment_method: 'boleto',
      link: 'https://bank.example/boleto/0815',
    }
    const answer = await acme.staff.post('/invoices', eight)
    expect(answer.status, answer.raw.body).toBe(201)
    expect(answer.data).toMatchObject({ ...eight, total: '1234.56', total_cents: 123_456, origin: 'import' })
    expect((await acme.staff.post('/invoices', { ...eight, status: 'draft' })).status).toBe(409)
    const own = await acme.staff.post('/invoices', { ...eight, number: 'BR-000815' })
    expect(fieldsOf(own)).toEqual([422, ['number']])
    expect((await acme.staff.post('/invoices', { ...eight, number: 'A-1', origin: null })).data.origin).toBe('import')
  })
  it('201 keeps an imported number without allocating one; 409 for the same number again', async () => {
    const number = 'OLD/2024-17'
    const dates = { issue_date: '2024-05-01', due_date: '2024-05-31' }
    const { data } = await write({ origin: 'import', number, status: 'open', ...dates })
    expect(data).toMatchObject({ number, status: 'open', ...dates })
    expect((await write({ origin: 'import', number })).status).toBe(409)
    expect((await write({ origin: 'import', number, company: 'entity_global' })).status).toBe(201)
  })
  it('403 for customers', async () => {
    expect((await acme.owner.post('/invoices', { currency: 'BRL', total: 1 })).status).toBe(403)
  })
})

describe('PUT and PATCH /invoices/{id}', () => {
  it('200 while it is a draft, 409 and unchanged afterwards', async () => {
    const { id } = (await write()).data
    expect((await acme.staff.patch(`/invoices/${id}`, { notes: 'New' })).data).toMatchObject({
      notes: 'New',
      total: '160.50',
    })
    const total = await acme.staff.patch(`/invoices/${id}`, { total: '20', currency: 'USD' })
    expect(total.data).toMatchObject({ total: '20.00', currency: 'USD', subtotal: '20.00' })
    expect(fieldsOf(await acme.staff.patch(`/invoices/${id}`, { currency: 'JPY' }))).toEqual([422, ['currency']])
    expect(fieldsOf(await acme.staff.patch(`/invoices/${id}`, { due_date: '2001-01-01' }))).toEqual([422, ['due_date']])
    await act(id, 'finalize')
    const before = (await buyer.get(`/invoices/${id}`)).data
    for (const body of [{ total: '1.00' }, { line_items: LINES }, { notes: 'x' }, {}])
      expect((await acme.staff.patch(`/invoices/${id}`, body)).status).toBe(409)
    expect((await buyer.get(`/invoices/${id}`)).data).toEqual(before)
  })
})
