// Features on the lines of a quote (docs/interface/sales.md): what one unit gives, from the draft to the entitlement.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, draftQuote, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product } from '#test/scenes/releases.ts'
import { blocksOf } from './document.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

const SSO = { key: 'sso', type: 'boolean', value: true }
const OFF = { key: 'beta', type: 'boolean', value: false }
const USERS = { key: 'max_users', type: 'number', value: 1500 }
const REGION = { key: 'region', type: 'text', value: 'São Paulo' }

const priced = (product_id: number, more: object = {}) => ({ product_id, quantity: 2, unit_price: '10.00', ...more })

const linesOf = async (path: string): Promise<{ features?: object[] }[]> => (await buyer.get(path)).data.line_items

async function sold(line: object) {
  const payment = await acceptedQuote(app, acme, buyer, { line_items: [line] })
  await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
  await app.service.worker.drain()
  const [id] = (await buyer.get(`/quotes/${payment.quote_id}`)).data.entitlement_ids
  return { ...payment, entitlement: (await buyer.get(`/entitlements/${id}`)).data }
}

describe('a line with a product', () => {
  it('201 with the features of the product, which stay as they are when the catalogue changes', async () => {
    const { id } = await product(acme, { features: [SSO, USERS] })
    const quote = await draftQuote(acme, { line_items: [priced(id)] })
    expect(quote.line_items).toMatchObject([{ features: [SSO, USERS] }])
    await acme.staff.patch(`/admin/products/${id}`, { features: [REGION] })
    const at = `/quotes/${quote.id}`
    expect((await acme.staff.put(at, { notes: 'x' })).data.line_items).toEqual(quote.line_items)
    await acme.staff.post(`${at}/send`)
    const { data } = await acme.staff.post(`${at}/revise`)
    expect(data.line_items).toEqual(quote.line_items)
  })
  it('201 with its own instead, on quote, order, invoice and entitlement, and in the check', async () => {
    const { id } = await product(acme, { features: [SSO] })
    const { quote_id, order_id, invoice_id, entitlement: given } = await sold(priced(id, { features: [USERS, REGION] }))
    for (const path of [`/quotes/${quote_id}`, `/orders/${order_id}`, `/invoices/${invoice_id}`])
      expect(await linesOf(path)).toMatchObject([{ features: [USERS, REGION] }])
    expect(given).toMatchObject({ product_id: id, quantity: 2, features: [USERS, REGION] })
    const check = await buyer.get(`/entitlements/check?product_id=${id}&feature=max_users`)
    expect(check.data).toMatchObject({ allowed: true, value: 3000 })
    expect((await buyer.get(`/entitlements/check?product_id=${id}&feature=sso`)).data.allowed).toBe(false)
  })
  it('gives nothing where its features are empty, whatever the product gives', async () => {
    const { id } = await product(acme, { features: [SSO] })
    expect((await sold(priced(id, { features: [] }))).entitlement.features).toEqual([])
  })
  it('gives what the product has where it was stored before lines had features', async () => {
    const { id } = await product(acme, { features: [SSO] })
    const { invoice_id, quote_id, order_id } = await acceptedQuote(app, acme, buyer, { line_items: [priced(id)] })
    await app.database.query(`update orders set line_items = line_items #- '{0,features}' where id = $1`, [order_id])
    await acme.staff.post(`/invoices/${invoice_id}/pay`, {})
    await app.service.worker.drain()
    const [entitled] = (await buyer.get(`/quotes/${quote_id}`)).data.entitlement_ids
    expect((await buyer.get(`/entitlements/${entitled}`)).data.features).toEqual([SSO])
  })
})

describe('a line by hand', () => {
  it('201 with features and without', async () => {
    const { line_items } = await draftQuote(acme, { line_items: [{ ...LICENSE_LINE, features: [SSO] }, LICENSE_LINE] })
    expect(line_items).toMatchObject([{ features: [SSO] }, {}])
    expect(line_items[1]).not.toHaveProperty('features')
    expect((await sold({ ...LICENSE_LINE, features: [SSO] })).entitlement.features).toEqual([SSO])
  })
})

const asked = async (line: object) => {
  const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [LICENSE_LINE, line] }
  const answer = await acme.staff.post('/quotes', body)
  return [answer.status, Object.keys(answer.errors?.fields ?? {})]
}

describe('422', () => {
  it.each([
    ['features.0.value', [{ ...SSO, value: 1 }]],
    ['features.1.value', [SSO, { ...USERS, value: '5' }]],
    ['features.1.key', [SSO, SSO]],
    ['features.0.key', [{ ...SSO, key: 'Not a key' }]],
    ['features', null],
    ['features', Array.from({ length: 51 }, (_, index) => ({ ...SSO, key: `f${index}` }))],
  ])('names %s', async (field, features) => {
    expect(await asked({ ...LICENSE_LINE, features })).toEqual([422, [`line_items.1.${field}`]])
  })
  it('on a line that extends an entitlement, which keeps its own', async () => {
    const { entitlement: one } = await sold({ ...LICENSE_LINE, features: [SSO] })
    const line = { ...LICENSE_LINE, entitlement_code: one.code }
    expect(await asked({ ...line, features: [] })).toEqual([422, ['line_items.1.features']])
    await sold(line)
    expect((await buyer.get(`/entitlements/${one.id}`)).data.features).toEqual([SSO])
  })
  it('and a product does not lend its features to such a line', async () => {
    const { id } = await product(acme, { features: [SSO] })
    const one = await entitlement(acme, { product_id: id, expires_at: '2099-01-01T00:00:00Z', features: [REGION] })
    const line = priced(id, { quantity: 1, term_months: 12, entitlement_code: one.code })
    const { line_items } = await draftQuote(acme, { company: one.company, line_items: [line] })
    expect(line_items[0]).not.toHaveProperty('features')
  })
})

describe('the PDF and the public link', () => {
  const line = { ...LICENSE_LINE, description: null, features: [USERS, SSO, OFF, REGION] }
  it.each([
    ['en', 'Each unit includes up to 1,500 users; SSO; no beta; region: São Paulo'],
    ['pt-BR', 'Cada unidade inclui até 1.500 usuários; SSO; sem beta; região: São Paulo'],
  ] as const)('name them in %s, accepted quotes too', async (language, text) => {
    const quote = await draftQuote(acme, { line_items: [line] })
    for (const accepted_at of [null, '2026-11-20T12:00:00.000Z']) {
      const blocks = blocksOf({ ...quote, accepted_at, replaces: null, replaced_by: null }, language)
      const [table] = blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))
      expect(table?.rows[0]?.[0]?.split('\n').at(-1)).toBe(text)
    }
  })
  it('show them to a person without an account, as text', async () => {
    const { id } = await draftQuote(acme, { line_items: [{ ...line, features: [{ ...REGION, value: '<b>x</b>' }] }] })
    await acme.staff.post(`/quotes/${id}/send`)
    const { data } = await acme.staff.post(`/quotes/${id}/links`, {})
    const token = new URL(data.url).pathname.split('/').at(-1)
    const shown = await acme.staff.get(`/public/quotes/${token}`)
    expect(shown.data.line_items).toMatchObject([{ features: [{ value: '<b>x</b>' }] }])
    const page = await app.service.app.inject({ url: `/quotes/${token}`, headers: { 'accept-language': 'en' } })
    expect(page.body).toContain('Each unit includes region: &lt;b&gt;x&lt;/b&gt;')
    expect(page.body).not.toContain('<b>x')
  })
})
