// Invoices by staff: finalizing, payment, and what else becomes of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptedQuote, eventually, pressPay } from '#test/scenes/commerce.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer } from '#test/harness/world.ts'
import { type HandScene, handScene } from '#test/scenes/invoices-by-hand.ts'

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
