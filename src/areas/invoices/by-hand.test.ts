// Invoices by staff: their fields, finalizing and payment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, eventually, pressPay } from '#test/scenes/commerce.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let buyer: Speaker

beforeAll(async () => {
  app = await startApp({ listens: true })
  acme = await app.world.organization()
  buyer = await buyerOf(acme)
})
afterAll(() => app.close())

const LINES = [
  { product_name: 'Migração “Pro” 🚀 مرحبا', quantity: 3, unit_price: '50.00' },
  { product_name: 'Travel', quantity: 1, unit_price: '10.50', description: 'By train' },
]
const write = (body: object = {}): Promise<Answer> =>
  acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', line_items: LINES, ...body })
const act = (id: number, name: string, body?: object) => acme.staff.post(`/invoices/${id}/${name}`, body)
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
    expect((await acme.staff.put(`/invoices/${id}`, { notes: 'New' })).data).toMatchObject({
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

describe('POST /invoices/{id}/finalize', () => {
  it('200 keeps the recipient, updates past dates, and opens a checkout that pays it without an order', async () => {
    const ana = await acme.member({ scopes: ['finances'], email: 'ana-invoice@example.com' })
    const { id } = (await write({ issue_date: '2024-01-01', due_date: '2024-01-08' })).data
    const { status, data } = await act(id, 'finalize')
    expect(status).toBe(200)
    expect(data.number).toMatch(/^BR-\d{6}$/)
    expect(data.issue_date > '2026-01-01' && data.due_date > data.issue_date).toBe(true)
    expect(data.billing).toMatchObject({ name: acme.name })
    await app.database.query(`update organizations set legal_name = 'Renamed' where id = $1`, [acme.id])
    expect((await act(id, 'finalize')).status).toBe(409)
    const subjects = (await mailsTo(app, ana.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes(data.number))).toHaveLength(1)
    const { link } = (await ana.get(`/invoices/${id}`)).data
    expect(await pressPay(link)).toBe(303)
    const look = async () => (await ana.get(`/invoices/${id}`)).data
    const paid = await eventually(app, look, (invoice) => invoice.status === 'paid')
    expect(paid).toMatchObject({ amount_paid: '160.50', amount_due: '0.00', billing: { legal_name: null } })
    expect(await act(id, 'void')).toMatchObject({
      status: 409,
      message: 'An invoice that is paid cannot become void',
    })
  })
  it('200 keeps a date in the future; opens no checkout for an invoice with its own link', async () => {
    const own = { link: 'https://bank.example/pay/1', issue_date: '2999-01-01' }
    const { data } = await write({ ...own, status: 'open' })
    await app.service.worker.drain()
    expect((await buyer.get(`/invoices/${data.id}`)).data).toMatchObject({ ...own, payment_invoice_id: null })
  })
  it('200 and an invoice of 0 is paid at once', async () => {
    const { data } = await write({ total: 0, line_items: undefined, status: 'open' })
    await app.service.worker.drain()
    expect((await buyer.get(`/invoices/${data.id}`)).data).toMatchObject({ status: 'paid', payment_method: 'free' })
  })
})

describe('void, uncollectible, paid by hand', () => {
  it('200 for void, which closes the checkout', async () => {
    const { id } = (await write({ status: 'open' })).data
    await app.service.worker.drain()
    const { link } = (await buyer.get(`/invoices/${id}`)).data
    expect((await act(id, 'void')).data).toMatchObject({ status: 'void', amount_due: '0.00' })
    await app.service.worker.drain()
    expect(await pressPay(link)).toBe(409)
    expect((await act(id, 'mark-uncollectible')).status).toBe(409)
  })
  it('200 for paying an uncollectible invoice', async () => {
    const { id } = (await write({ status: 'open' })).data
    expect((await act(id, 'mark-uncollectible')).data).toMatchObject({ status: 'uncollectible', amount_due: '160.50' })
    expect((await act(id, 'pay', {})).data).toMatchObject({ status: 'paid', amount_paid: '160.50' })
  })
  it('409 for each operation that a draft does not allow', async () => {
    const { id } = (await write()).data
    expect((await act(id, 'pay', {})).status).toBe(409)
    expect((await act(id, 'mark-uncollectible')).status).toBe(409)
    expect((await act(id, 'credit-notes', { reason: 'x' })).status).toBe(409)
  })
})

describe('an additional invoice of an order', () => {
  it('pays itself only; when it replaces a void one it pays the order', async () => {
    const { order_id, invoice_id, quote_id } = await acceptedQuote(app, acme, buyer)
    const beside = (await write({ order_id, company: undefined, status: 'open' })).data
    expect(fieldsOf(await write({ order_id, company: 'entity_global' }))).toEqual([422, ['company']])
    await act(beside.id, 'pay', {})
    expect((await buyer.get(`/orders/${order_id}`)).data.status).toBe('pending')
    await act(invoice_id, 'void')
    const instead = (await write({ order_id, status: 'open' })).data
    const rest = (await write({ order_id })).data
    for (const who of [acme.staff, buyer])
      expect((await who.get(`/quotes/${quote_id}/payment`)).data).toMatchObject({ invoice_id: instead.id })
    await act(instead.id, 'pay', {})
    expect((await buyer.get(`/orders/${order_id}`)).data.status).toBe('pending')
    await act(rest.id, 'finalize')
    await act(rest.id, 'pay', {})
    const look = async () => (await buyer.get(`/quotes/${quote_id}`)).data
    await eventually(app, look, (quote) => quote.status === 'fulfilled')
    const more = (await write({ order_id, status: 'open' })).data
    expect((await act(more.id, 'pay', {})).data.status).toBe('paid')
    const { data } = await buyer.post(`/orders/${order_id}/refund`, { amount: '160.50' })
    await app.database.query('update refunds set is_approved = true where id = $1', [data.refund_id])
    await acme.staff.post(`/refunds/${data.refund_id}/settle`)
    expect((await buyer.get(`/orders/${order_id}`)).data.status).toBe('completed')
  })
})

describe('GET /admin/invoices', () => {
  it('200 with the invoices of all organizations, including drafts', async () => {
    const other = await app.world.organization()
    await other.staff.post('/invoices', { currency: 'USD', total: '5', company: 'entity_global' })
    const { data } = await acme.staff.get(`/admin/invoices?organization_id=${other.id}&status=draft`)
    expect(data).toMatchObject([{ organization_id: other.id, organization_name: other.name, total: '5.00' }])
    expect((await acme.staff.get(`/admin/invoices?search=${encodeURIComponent(other.name)}`)).meta?.total).toBe(1)
    expect((await buyer.get('/admin/invoices')).status).toBe(403)
  })
})
