// Discounts, taxes and catalogue lines over HTTP, from the draft to the request to the payment provider.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, draftQuote, eventually, LICENSE_LINE, pressPay, FIXED } from '#test/scenes/commerce.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)
const administrator = await app.world.user({ roles: ['customer', 'administrator'] })

const refused = async (line_items: object[], more: object = {}) => {
  const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items, ...more }
  const answer = await acme.staff.post('/quotes', body)
  expect(answer.status, answer.raw.body).toBe(422)
  return Object.keys(answer.errors?.fields ?? {})
}

const price = (id: number, more: object = {}) =>
  administrator.post(`/admin/products/${id}/prices`, {
    company: 'entity_br',
    currency: 'BRL',
    unit_price: '39.9',
    term_months: 12,
    tax_percent: '5',
    ...more,
  })

describe('discounts and taxes', () => {
  const lines = [
    { ...LICENSE_LINE, quantity: 3, unit_price: '33.33', discount: '0.99', tax_percent: '18' },
    { ...LICENSE_LINE, quantity: 1, unit_price: '10.05', discount_percent: '50', tax_percent: '7.5' },
    { ...LICENSE_LINE, quantity: 2, unit_price: '5', discount_percent: '100' },
    { ...LICENSE_LINE, quantity: 1, unit_price: '1', discount: null, tax_percent: '0' },
  ]
  const totals = { subtotal: '121.04', discount_total: '16.02', tax_total: '18.20', total: '123.22' }
  const counted = [
    { subtotal: '99.99', discount: '0.99', tax_rate: '18.00', tax: '17.82', total: '116.82' },
    { subtotal: '10.05', discount: '5.03', tax_rate: '7.50', tax: '0.38', total: '5.40' },
    { subtotal: '10.00', discount: '10.00', tax_rate: null, tax: '0.00', total: '0.00' },
    { subtotal: '1.00', discount: '0.00', tax_rate: '0.00', tax: '0.00', total: '1.00' },
  ]
  it('are computed per line, and are the same on order, invoice and checkout, which is paid', async () => {
    const quote = await draftQuote(acme, { line_items: lines })
    expect(quote).toMatchObject({ ...totals, line_items: counted })
    const payment = await acceptedQuote(app, acme, buyer, { line_items: lines })
    expect(payment.amount).toBe('123.22')
    const order = (await buyer.get(`/orders/${payment.order_id}`)).data
    expect(order).toMatchObject({ ...totals, items: counted, line_items: counted })
    const invoice = (await buyer.get(`/invoices/${payment.invoice_id}`)).data
    expect(invoice).toMatchObject({ total: '123.22', total_cents: 12_322, line_items: counted })
    const page = await (await fetch(payment.checkout_url)).text()
    expect(page).toContain('>R$116.82<')
    expect(page).toContain('>R$123.22<')
    expect(await pressPay(payment.checkout_url)).toBe(303)
    const look = async () => (await buyer.get(`/quotes/${payment.quote_id}`)).data
    expect((await eventually(app, look, ({ status }) => status === 'fulfilled')).entitlement_ids).toHaveLength(4)
  })
  it.each([
    ['JPY', '999999999999999', '0', '999999999999999'],
    ['BRL', '9999999999999.99', '0.00', '9999999999999.99'],
    // For currencies with three digits Stripe wants amounts that end with 0.
    ['KWD', '999999999999.999', '0.009', '999999999999.990'],
    ['BRL', '9007199254740.93', '0.07', '9007199254740.86'],
    ['KWD', '0.011', '0.001', '0.010'],
  ])('%s %s is the same text on quote, order, invoice and checkout', async (currency, unit_price, discount, total) => {
    const line = { ...LICENSE_LINE, quantity: 1, unit_price, discount }
    const payment = await acceptedQuote(app, acme, buyer, { currency, line_items: [line] })
    const order = await buyer.get(`/orders/${payment.order_id}`)
    const invoice = await buyer.get(`/invoices/${payment.invoice_id}`)
    const quote = await buyer.get(`/quotes/${payment.quote_id}`)
    for (const { data, raw } of [quote, order, invoice]) {
      expect(data.total).toBe(total)
      expect(data.line_items).toMatchObject([{ unit_price, discount, total }])
      expect(raw.body).toContain(`"unit_price":"${unit_price}"`)
    }
    expect(payment).toMatchObject({ amount: total, checkout_url: expect.stringMatching(/^http/) })
  })
  it('stay when other fields of the draft change, and are computed again in another currency', async () => {
    const { id } = await draftQuote(acme, { line_items: [lines[0]] })
    expect((await acme.staff.put(`/quotes/${id}`, { notes: 'x' })).data.line_items).toMatchObject([counted[0]])
    const dollars = (await acme.staff.put(`/quotes/${id}`, { currency: 'USD' })).data
    expect(dollars).toMatchObject({ currency: 'USD', total: '116.82', line_items: [counted[0]] })
    const answer = await acme.staff.put(`/quotes/${id}`, { currency: 'JPY' })
    expect(Object.keys(answer.errors?.fields ?? {})).toEqual(['line_items.0.unit_price', 'line_items.0.discount'])
  })
  it.each([
    ['discount', { discount: '150.01' }],
    ['discount', { discount: '1.001' }],
    ['discount', { discount: '-1' }],
    ['discount', { discount: 1 }],
    ['discount_percent', { discount: '1', discount_percent: '1' }],
    ['discount_percent', { discount: '0', discount_percent: '0' }],
    ['discount_percent', { discount_percent: '100.01' }],
    ['discount_percent', { discount_percent: '1.001' }],
    ['discount_percent', { discount_percent: 10 }],
    ['tax_percent', { tax_percent: '-1' }],
    ['tax_percent', { tax_percent: '101' }],
    ['tax_percent', { tax_percent: '1e1' }],
    ['tax_rate', { tax_rate: '1' }],
  ])('422 on %s: %o', async (field, change) => {
    expect(await refused([{ ...LICENSE_LINE, ...change }])).toEqual([`line_items.0.${field}`])
  })
})

describe('lines from the catalogue', () => {
  let next = 0
  const product = async (more: object = {}) => {
    const body = { sku: `SKU-${++next}`, name: 'Backup Pro', description: 'Nightly', entitlement_class: 'PLG', ...more }
    return (await administrator.post('/admin/products', body)).data
  }

  it('201 with the fields of the product and its price', async () => {
    const { id, sku } = await product()
    await price(id)
    await price(id, {
      company: 'entity_global',
      currency: 'USD',
      unit_price: '9',
      term_months: null,
      tax_percent: null,
    })
    const line = { product_id: id, quantity: 2, discount_percent: '10' }
    const own = { product_id: id, sku, features: [] }
    const named = { ...own, product_name: 'Backup Pro', description: 'Nightly', entitlement_class: 'PLG' }
    expect((await draftQuote(acme, { line_items: [line] })).line_items).toEqual([
      {
        ...named,
        ...FIXED,
        discount_percent: '10.00',
        quantity: 2,
        unit_price: '39.90',
        subtotal: '79.80',
        discount: '7.98',
        tax_rate: '5.00',
        tax: '3.59',
        total: '75.41',
        term_months: 12,
        entitlement_code: null,
      },
    ])
    const abroad = await draftQuote(acme, { company: 'entity_global', currency: 'USD', line_items: [line] })
    expect(abroad.line_items).toMatchObject([{ ...named, unit_price: '9.00', tax_rate: null, term_months: null }])
  })
  it('201 with each field overridden, by null too', async () => {
    const { id, sku } = await product()
    await price(id)
    const own = {
      product_name: 'Ours',
      unit_price: '1',
      entitlement_class: 'SVC',
      description: null,
      term_months: null,
    }
    const { line_items } = await draftQuote(acme, {
      line_items: [{ product_id: id, quantity: 1, ...own, tax_percent: null }],
    })
    expect(line_items).toMatchObject([{ ...own, unit_price: '1.00', tax_rate: null, product_id: id, sku }])
  })
  it('stay as they are when the catalogue changes', async () => {
    const { id } = await product()
    await price(id)
    const quote = await draftQuote(acme, { line_items: [{ product_id: id, quantity: 1 }] })
    await price(id, { unit_price: '50' })
    await administrator.patch(`/admin/products/${id}`, { name: 'Backup Ultra', active: false })
    expect((await acme.staff.put(`/quotes/${quote.id}`, { notes: 'x' })).data.line_items).toEqual(quote.line_items)
  })
  it('422 for a product that is unknown, inactive, or without a current price for the company and currency', async () => {
    const [unpriced, inactive, ended] = [await product(), await product({ active: false }), await product()]
    await price(unpriced.id, { currency: 'USD' })
    await price(unpriced.id, { company: 'entity_global' })
    await price(inactive.id)
    const { data } = await price(ended.id)
    await administrator.patch(`/admin/products/${ended.id}/prices/${data.id}`, { active: false })
    const ids = [999_999, unpriced.id, inactive.id, ended.id]
    expect(await refused(ids.map((product_id) => ({ product_id, quantity: 1 })))).toEqual(
      ids.map((_, index) => `line_items.${index}.product_id`),
    )
    const [line] = (await draftQuote(acme, { line_items: [{ product_id: unpriced.id, quantity: 1, unit_price: '2' }] }))
      .line_items
    expect(line).toMatchObject({ unit_price: '2.00', term_months: null, tax_rate: null })
  })
  it('422 without product, name, price or class, naming all lines', async () => {
    expect(await refused([{ quantity: 1 }, { ...LICENSE_LINE, unit_price: undefined }])).toEqual([
      'line_items.0.product_name',
      'line_items.0.unit_price',
      'line_items.0.entitlement_class',
      'line_items.1.unit_price',
    ])
  })
  it('422 when company or currency changes without the lines', async () => {
    const { id } = await product()
    await price(id)
    await price(id, { currency: 'USD', unit_price: '8' })
    const quote = await draftQuote(acme, { line_items: [{ product_id: id, quantity: 1 }] })
    for (const change of [{ currency: 'USD' }, { company: 'entity_global' }]) {
      const answer = await acme.staff.put(`/quotes/${quote.id}`, change)
      expect(Object.keys(answer.errors?.fields ?? {})).toEqual(['line_items'])
    }
    const again = { currency: 'USD', line_items: [{ product_id: id, quantity: 1 }] }
    expect((await acme.staff.put(`/quotes/${quote.id}`, again)).data.subtotal).toBe('8.00')
  })
})
