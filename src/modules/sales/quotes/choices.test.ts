// Optional lines, and quantities that the customer chooses: the offer, the preview, the order and the invoice, to the cent.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { acceptedWith, linkOf } from '#test/scenes/quote-links.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

const base = { product_name: 'Backup', entitlement_class: 'PLG', term_months: 12 }
/** 33.33 each with 12.5 % off and 5 % tax; the customer takes from 2 to 20. */
const SEATS = {
  ...base,
  quantity: 5,
  unit_price: '33.33',
  discount_percent: '12.5',
  tax_percent: '5',
  quantity_min: 2,
  quantity_max: 20,
}
const SETUP = { ...base, product_name: 'Set-up', entitlement_class: 'SVC', quantity: 1, unit_price: '100.00' }
const TRAINING = { ...base, product_name: 'Training', entitlement_class: 'EDU', quantity: 1, unit_price: '70.00' }
const LINES = [SEATS, { ...SETUP, is_optional: true, is_chosen: true }, { ...TRAINING, is_optional: true }]

const offered = () => sentQuote(acme, { line_items: LINES })
const fieldsOf = ({ status, errors }: Answer): [number, string[]] => [status, Object.keys(errors?.fields ?? {})]
const amountsOf = ({ subtotal, discount_total, tax_total, total }: Answer['data']) => [
  subtotal,
  discount_total,
  tax_total,
  total,
]
/** 5 × 33.33 = 166.65, less 20.83, plus 7.29; with the set-up. */
const AS_OFFERED = ['266.65', '20.83', '7.29', '253.11']
/** 20 × 33.33 = 666.60, less 83.33, plus 29.16; with the training in place of the set-up. */
const CHOICES = [
  { index: 0, quantity: 20 },
  { index: 1, is_chosen: false },
  { index: 2, is_chosen: true },
]
const AS_CHOSEN = ['736.60', '83.33', '29.16', '682.43']

describe('POST /quotes', () => {
  it('201 with the totals of the lines that are chosen by default, and each line’s own amounts', async () => {
    const quote = await draftQuote(acme, { line_items: LINES })
    expect(amountsOf(quote)).toEqual(AS_OFFERED)
    expect(quote).toMatchObject({
      offered_line_items: null,
      line_items: [
        { is_optional: false, is_chosen: true, quantity_min: 2, quantity_max: 20, discount_percent: '12.50' },
        { is_optional: true, is_chosen: true, quantity_min: null, quantity_max: null, discount_percent: null },
        { is_optional: true, is_chosen: false, total: '70.00' },
      ],
    })
    const [open] = (await draftQuote(acme, { line_items: [{ ...SEATS, quantity_max: null }] })).line_items
    expect(open).toMatchObject({ quantity_min: 2, quantity_max: 1_000_000 })
  })
  it.each([
    ['0.quantity_min', [{ ...SEATS, quantity_min: 6 }]],
    ['0.quantity_max', [{ ...SEATS, quantity_max: 4 }]],
    ['0.is_chosen', [{ ...SETUP, is_chosen: false }, SEATS]],
    // Of two at the least, the discount would be more than the price.
    ['0.discount', [{ ...SEATS, discount_percent: null, discount: '70.00' }]],
    // Of twenty at the most, the total could not be billed.
    ['', [{ ...SEATS, unit_price: '900000000000.00' }]],
    ['', [{ ...SETUP, is_optional: true }]],
  ])('422 names line_items.%s', async (field, line_items) => {
    const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items }
    const name = ['line_items', field].filter((part) => part !== '').join('.')
    const [status, names] = fieldsOf(await acme.staff.post('/quotes', body))
    expect([status, names[0]]).toEqual([422, name])
  })
})

describe('POST /quotes/{id}/preview', () => {
  it('200 with the order and the entitlements of what is chosen, and writes nothing', async () => {
    const id = await offered()
    expect(amountsOf((await buyer.post(`/quotes/${id}/preview`)).data.order)).toEqual(AS_OFFERED)
    const { data } = await buyer.post(`/quotes/${id}/preview`, { line_items: CHOICES })
    expect(amountsOf(data.order)).toEqual(AS_CHOSEN)
    expect(data.invoice.total).toBe('682.43')
    expect(data.entitlements).toMatchObject([{ class: 'PLG', quantity: 20 }, { class: 'EDU' }])
    expect(amountsOf((await buyer.get(`/quotes/${id}`)).data)).toEqual(AS_OFFERED)
  })
  it.each([
    ['line_items.0.index', [{ index: 3 }]],
    ['line_items.1.index', [{ index: 0 }, { index: 0 }]],
    ['line_items.0.is_chosen', [{ index: 0, is_chosen: false }]],
    ['line_items.0.quantity', [{ index: 0, quantity: 1 }]],
    ['line_items.0.quantity', [{ index: 0, quantity: 21 }]],
    ['line_items.0.quantity', [{ index: 1, quantity: 2 }]],
    ['line_items.0.quantity', [{ index: 0, quantity: '2' }]],
  ])('422 names %s of %j, as accepting does', async (field, line_items) => {
    const id = await offered()
    for (const act of ['preview', 'accept'])
      expect(fieldsOf(await buyer.post(`/quotes/${id}/${act}`, { line_items }))).toEqual([422, [field]])
    const link = await linkOf(acme, id)
    expect(fieldsOf(await acceptedWith(app, link, { line_items }))).toEqual([422, [field]])
    expect((await buyer.get(`/quotes/${id}`)).data.order_id).toBeNull()
  })
  it.each([
    [1, 'must be at least 2', 'too_small'],
    [21, 'must be at most 20', 'too_large'],
  ])('422 says which bound a quantity of %d breaks', async (quantity, sentence, code) => {
    const { errors } = await buyer.post(`/quotes/${await offered()}/preview`, { line_items: [{ index: 0, quantity }] })
    expect(errors).toMatchObject({
      fields: { 'line_items.0.quantity': sentence },
      field_codes: { 'line_items.0.quantity': code },
    })
  })
  it('422 when nothing is chosen', async () => {
    const line = { ...SETUP, is_optional: true }
    const id = await sentQuote(acme, { line_items: [{ ...line, is_chosen: true }, line] })
    const nothing = { line_items: [{ index: 0, is_chosen: false }] }
    expect(fieldsOf(await buyer.post(`/quotes/${id}/accept`, nothing))).toEqual([422, ['line_items']])
  })
})

describe.each(['a member', 'a public link'])('accepting by %s', (way) => {
  const accept = async (id: number, body: object) =>
    way === 'a member'
      ? buyer.post(`/quotes/${id}/accept`, body)
      : acceptedWith(app, await linkOf(acme, id), { ...body })

  it('200 orders and bills what was chosen, and keeps what was offered', async () => {
    const id = await offered()
    const before = (await buyer.get(`/quotes/${id}`)).data.line_items
    expect((await accept(id, { line_items: CHOICES })).status).toBe(200)
    const { data: quote } = await buyer.get(`/quotes/${id}`)
    expect(amountsOf(quote)).toEqual(AS_CHOSEN)
    expect(quote.offered_line_items).toEqual(before)
    expect(quote.line_items).toMatchObject([
      { quantity: 20, is_chosen: true, entitlement_code: expect.stringMatching(/^PLG-/) },
      { is_chosen: false, entitlement_code: null },
      { is_chosen: true, entitlement_code: expect.stringMatching(/^EDU-/) },
    ])
    const { data: order } = await buyer.get(`/orders/${quote.order_id}`)
    expect(amountsOf(order)).toEqual(AS_CHOSEN)
    expect(order.line_items.map((line: { product_name: string }) => line.product_name)).toEqual(['Backup', 'Training'])
    expect(Object.keys(order.line_items[0])).not.toContain('is_chosen')
    const [invoice] = (await buyer.get(`/invoices/order/${order.id}`)).data
    expect(invoice).toMatchObject({ total: '682.43', line_items: order.line_items })
    await acme.staff.post(`/invoices/${invoice.id}/pay`, {})
    await app.service.worker.drain()
    const { entitlements } = (await buyer.get(`/orders/${order.id}`)).data
    const codes = order.line_items.map((line: { entitlement_code: string }) => line.entitlement_code)
    expect(entitlements.map(({ code }: { code: string }) => code)).toEqual(codes)
  })
  it('200 without a choice takes the offer as it is', async () => {
    const id = await offered()
    expect((await accept(id, {})).status).toBe(200)
    const { data: quote } = await buyer.get(`/quotes/${id}`)
    expect([amountsOf(quote), quote.offered_line_items]).toEqual([AS_OFFERED, null])
  })
})

describe('POST /quotes/{id}/revise', () => {
  it('keeps what the customer may choose', async () => {
    const id = await offered()
    const { data } = await acme.staff.post(`/quotes/${id}/revise`)
    expect(data.line_items).toEqual((await buyer.get(`/quotes/${id}`)).data.line_items)
    const { data: dollars } = await acme.staff.put(`/quotes/${data.id}`, { currency: 'USD' })
    expect(amountsOf(dollars)).toEqual(AS_OFFERED)
  })
})
