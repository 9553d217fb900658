// Credit notes: the amounts that they lower, their limits, and the checkout that replaces the former one.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import {
  acceptedQuote,
  buyerOf,
  eventually,
  paidEvent,
  pressPay,
  signedEvent,
  withdrawnCredit,
} from '#test/scenes/commerce.ts'
import { lineOf, openInvoice } from '#test/scenes/paid-invoices.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

const credit = (id: number, body: object = {}) =>
  acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Too much', ...body })
const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data
const opened = async (): Promise<{ id: number; checkout_url: string; quote_id: number }> => {
  const { invoice_id, checkout_url, quote_id } = await acceptedQuote(app, acme, buyer)
  return { id: invoice_id, checkout_url, quote_id }
}
const paidByHand = async (): Promise<number> => {
  const { id } = await opened()
  await acme.staff.post(`/invoices/${id}/pay`, {})
  return id
}

describe('POST /invoices/{id}/credit-notes', () => {
  it('201 on an open invoice: a new checkout is for the rest, the old one cannot be paid', async () => {
    const { id, checkout_url, quote_id } = await opened()
    const before = await invoiceOf(id)
    const { status, data: note } = await credit(id, { amount: '60.00' })
    expect([status, note.total, note.invoice_number]).toEqual([201, '60.00', before.number])
    expect(await invoiceOf(id)).toMatchObject({ link: null, payment_invoice_id: null, amount_due: '90.00' })
    await app.service.worker.drain()
    expect((await buyer.get(`/quotes/${quote_id}/payment`)).data).toMatchObject({ invoice_id: id, amount: '90.00' })
    const after = await invoiceOf(id)
    expect(after).toMatchObject({ total: '150.00', amount_credited: '60.00', credit_note_ids: [note.id] })
    expect(after.payment_invoice_id).not.toBe(before.payment_invoice_id)
    expect(await pressPay(checkout_url)).toBe(409)
    expect(await pressPay(after.link)).toBe(303)
    const look = async () => (await buyer.get(`/quotes/${quote_id}`)).data
    await eventually(app, look, (quote) => quote.status === 'fulfilled')
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amount_paid: '90.00', amount_due: '0.00' })
    const refund = (amount: string) => buyer.post(`/orders/${after.order_id}/refund`, { amount })
    expect((await refund('90.01')).status).toBe(422)
    expect((await refund('90.00')).status).toBe(200)
    const back = await eventually(
      app,
      () => invoiceOf(id),
      ({ payment_status }) => payment_status === 'refunded',
    )
    expect(back).toMatchObject({ amount_refunded: '90.00', amount_credited: '150.00' })
  })
  it('201 on an uncollectible invoice, which can be paid for less', async () => {
    const { id } = await opened()
    await acme.staff.post(`/invoices/${id}/mark-uncollectible`)
    await credit(id, { amount: '140.00' })
    await app.service.worker.drain()
    expect(await pressPay((await invoiceOf(id)).link)).toBe(303)
    const paid = await eventually(
      app,
      () => invoiceOf(id),
      ({ status }) => status === 'paid',
    )
    expect(paid.amount_paid).toBe('10.00')
  })
  it('201 twice before the provider has answered: one checkout is left, for the remaining amount', async () => {
    const { id } = await opened()
    await Promise.all([credit(id, { amount: '10.00' }), credit(id, { amount: '20.00' })])
    await app.service.worker.drain()
    const { link } = await invoiceOf(id)
    expect(await pressPay(link)).toBe(303)
    const paid = await eventually(
      app,
      () => invoiceOf(id),
      ({ status }) => status === 'paid',
    )
    expect(paid.amount_paid).toBe('120.00')
  })
  it('a payment of the old amount that arrives nevertheless pays it, and the rest goes to the credit balance', async () => {
    const { id } = await opened()
    const { payment_invoice_id } = await invoiceOf(id)
    await credit(id, { amount: '60.00' })
    const { body, headers } = signedEvent(app, 'entity_br', paidEvent(payment_invoice_id))
    await app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
    await app.service.worker.drain()
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amount_paid: '90.00' })
    expect(await withdrawnCredit(acme)).toBe('60.00')
  })
  it('201 for what is due of an invoice that was paid in part: it is paid; 422 for more', async () => {
    const { id } = await opened()
    await acme.staff.post(`/invoices/${id}/pay`, { amount: '40.00' })
    expect((await credit(id, { amount: '110.01' })).status).toBe(422)
    expect((await credit(id)).data.total).toBe('110.00')
    await app.service.worker.drain()
    const sums = { amount_paid: '40.00', amount_credited: '110.00', amount_due: '0.00' }
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', payment_method: null, ...sums })
  })
  it('201 for the whole amount: the invoice is void and cannot be paid', async () => {
    const { id, checkout_url } = await opened()
    expect((await credit(id)).data.total).toBe('150.00')
    expect(await invoiceOf(id)).toMatchObject({ status: 'void', amount_due: '0.00' })
    await app.service.worker.drain()
    expect(await pressPay(checkout_url)).toBe(409)
    expect((await credit(id)).status).toBe(409)
  })
  it('201 on a paid invoice, with lines: nothing is refunded; 422 for more than its total', async () => {
    const id = await paidByHand()
    const lines = [{ description: 'Seats “Pro” 🚀', quantity: 3, unit_price: '30.00' }]
    const { data } = await credit(id, { line_items: lines })
    expect(data).toMatchObject({ total: '90.00', line_items: [{ ...lines[0], total: '90.00' }] })
    expect((await credit(id, { amount: '60.01' })).errors?.fields).toHaveProperty('amount')
    expect((await credit(id, { amount: '60.00' })).status).toBe(201)
    expect((await credit(id)).errors?.fields).toHaveProperty('amount')
    const invoice = await invoiceOf(id)
    expect(invoice).toMatchObject({ status: 'paid', amount_refunded: '0.00', amount_credited: '150.00' })
    expect((await buyer.get(`/refunds?order_id=${invoice.order_id}`)).meta?.total).toBe(0)
  })
  it('a refund first covers the credited amount, and issues a credit note only for the rest', async () => {
    const { id } = await opened()
    await acme.staff.post(`/invoices/${id}/pay`, {})
    const { order_id } = await invoiceOf(id)
    const look = async () => (await buyer.get(`/orders/${order_id}`)).data
    await eventually(app, look, ({ status }) => status === 'completed')
    await credit(id, { amount: '100.00' })
    const { data } = await buyer.post(`/orders/${order_id}/refund`, { amount: '120.00' })
    await acme.staff.post(`/refunds/${data.refund_id}/settle`)
    expect(await invoiceOf(id)).toMatchObject({ amount_credited: '120.00', amount_refunded: '120.00' })
    const notes = (await buyer.get(`/credit-notes?invoice_id=${id}`)).data
    expect(notes.map(({ total }: { total: string }) => total)).toEqual(['20.00', '100.00'])
  })
  it.each([
    ['amount', { amount: '0.00' }],
    ['amount', { amount: '150.01' }],
    ['amount', { amount: '1.001' }],
    ['amount', { amount: '10.00', line_items: [{ description: 'x', quantity: 1, unit_price: '20.00' }] }],
    ['line_items', { line_items: [{ description: 'x', quantity: 2, unit_price: '100.00' }] }],
    ['line_items', { line_items: [{ description: 'x', quantity: 1_000_000, unit_price: '9999999999999.99' }] }],
    ['line_items', { line_items: [] }],
    ['line_items.0.unit_price', { line_items: [{ description: 'x', quantity: 1, unit_price: '1.001' }] }],
    ['reason', { reason: '' }],
  ])('422 on %s', async (field, body) => {
    const answer = await credit(open, body)
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [field]])
  })
  let open: number
  beforeAll(async () => void (open = (await opened()).id))
  it('numbers have no gap under concurrent and refused requests', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, paidByHand))
    const other = await app.world.organization()
    const theirs = await acceptedQuote(app, other, await buyerOf(other))
    const asks = Array.from({ length: 24 }, (_, index) =>
      index % 4 === 3
        ? other.staff.post(`/invoices/${theirs.invoice_id}/credit-notes`, { reason: 'x', amount: '1.00' })
        : credit(ids[index % 4] ?? 0, { amount: index % 5 === 0 ? '200.00' : '1.00' }),
    )
    const statuses = (await Promise.all(asks)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201, 422]))
    const rows = await app.database.query<{ number: string }>(
      `select number from credit_notes where company = 'entity_br' order by number`,
    )
    expect(rows.map(({ number }) => number)).toEqual(
      rows.map((_, index) => `BRC-${String(index + 1).padStart(6, '0')}`),
    )
  })
  it('403 for customers, 404 for another organization’s', async () => {
    const other = await app.world.organization()
    expect((await buyer.post(`/invoices/${open}/credit-notes`, { reason: 'x' })).status).toBe(403)
    expect((await other.staff.post(`/invoices/${open}/credit-notes`, { reason: 'x' })).status).toBe(404)
  })
  it('the database refuses changes of a credit note', async () => {
    const change = 'set role titular_app; update credit_notes set total = 1'
    await expect(app.database.query(change)).rejects.toThrow('permission denied')
  })
})

describe('GET /credit-notes', () => {
  it('200 filtered by invoice and by date', async () => {
    const { data: all, meta } = await buyer.get('/credit-notes')
    const day = all[0].issue_date
    expect((await buyer.get(`/credit-notes?date_from=${day}&date_to=${day}`)).meta?.total).toBe(meta?.total)
    expect((await buyer.get('/credit-notes?date_to=2001-01-01')).data).toEqual([])
    expect((await buyer.get('/credit-notes?date_to=yesterday')).status).toBe(422)
  })
})

const line = (unit_price: string, more: object = {}) => ({ description: 'Less', quantity: 1, unit_price, ...more })

describe('a credit note that names lines of the invoice', () => {
  it('201 for at most what is left of each line; 422 for more, and for a line that does not exist', async () => {
    const id = await openInvoice(app, acme, { lines: [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')] })
    const refused = async (...line_items: object[]) => (await credit(id, { line_items })).errors?.fields
    expect(await refused(line('1.00', { invoice_line: 3 }))).toEqual({
      'line_items.0.invoice_line': 'is no line of the invoice',
    })
    expect(await refused(line('1.00', { invoice_line: 0 }))).toHaveProperty(['line_items.0.invoice_line'])
    expect(await refused(line('20.00', { invoice_line: 2 }), line('30.01', { invoice_line: 2 }))).toEqual({
      'line_items.1.unit_price': 'is more than what is left of the line, 30.00',
    })
    const { status, data } = await credit(id, { line_items: [line('40.00', { invoice_line: 2 }), line('10.00')] })
    expect([status, data.total, data.line_items]).toEqual([
      201,
      '50.00',
      [line('40.00', { total: '40.00', invoice_line: 2 }), line('10.00', { total: '10.00' })],
    ])
    expect(await refused(line('10.01', { invoice_line: 2 }))).toHaveProperty(['line_items.0.unit_price'])
    expect((await credit(id, { line_items: [line('10.00', { invoice_line: 2 })] })).status).toBe(201)
  })
})
