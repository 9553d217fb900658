// What an entitlement gives: its quantity, and features with a value of their type.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product } from '#test/scenes/releases.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const SSO = { key: 'sso', type: 'boolean', value: true }
const USERS = { key: 'max_users', type: 'number', value: 50 }
const REGION = { key: 'region', type: 'text', value: 'São Paulo' }
const ALL = [SSO, USERS, REGION]
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {}).toSorted()]

describe('features of a product', () => {
  it('200 and 201 as they were given, in their order, with the old ones in the log', async () => {
    const { id, features } = await product(acme, { features: ALL })
    expect(features).toEqual(ALL)
    expect((await acme.staff.patch(`/admin/products/${id}`, { features: [REGION, SSO] })).data.features).toEqual([
      REGION,
      SSO,
    ])
    await acme.staff.patch(`/admin/products/${id}`, { features: [REGION, SSO] })
    const log = await acme.staff.get(`/admin/audit-log?log=service&resource=product&resource_id=${id}`)
    expect(log.data.map(({ action }: { action: string }) => action)).toEqual(['updated', 'created'])
    expect(log.data[0].changes.after).toEqual({ before: { features: ALL }, after: { features: [REGION, SSO] } })
    expect((await acme.staff.get(`/admin/products/${id}`)).data.features).toEqual([REGION, SSO])
  })
  it('are none unless given', async () => {
    expect((await product(acme)).features).toEqual([])
  })
})

const WRONG: [object[], string[]][] = [
  [[{ ...SSO, value: 1 }], ['features.0.value']],
  [[SSO, { ...USERS, value: 'x' }], ['features.1.value']],
  [[{ ...REGION, value: true }], ['features.0.value']],
  [[{ ...USERS, value: 1.5 }], ['features.0.value']],
  [[{ ...USERS, value: -1 }], ['features.0.value']],
  [[{ ...USERS, value: 1_000_000_001 }], ['features.0.value']],
  [[{ ...REGION, value: ' ' }], ['features.0.value']],
  [[{ ...REGION, value: 'x'.repeat(256) }], ['features.0.value']],
  [[{ ...SSO, value: null }], ['features.0.value']],
  [[{ ...SSO, key: 'Max users' }], ['features.0.key']],
  [[{ ...SSO, key: 'x'.repeat(51) }], ['features.0.key']],
  [[{ ...SSO, type: 'date' }], ['features.0.type']],
  [[{ key: 'sso' }], ['features.0.type', 'features.0.value']],
  [[{ ...SSO, more: 1 }], ['features.0.more']],
  [[SSO, USERS, SSO], ['features.2.key']],
  [Array.from({ length: 51 }, (_, index) => ({ ...SSO, key: `f${index}` })), ['features']],
]

describe('422 names the feature', () => {
  it.each(WRONG)('%j', async (features, fields) => {
    const { id } = await entitlement(acme)
    expect(fieldsOf(await acme.staff.patch(`/entitlements/${id}`, { features }))).toEqual([422, fields])
    const body = { sku: 'X-1', name: 'X', entitlement_class: 'PLG', features }
    expect(fieldsOf(await acme.staff.post('/admin/products', body))).toEqual([422, fields])
  })
  it.each([0, -1, 1.5, '5', null, 1_000_001])('or the quantity: %j', async (quantity) => {
    const { id } = await entitlement(acme)
    expect(fieldsOf(await acme.staff.patch(`/entitlements/${id}`, { quantity }))).toEqual([422, ['quantity']])
  })
})

describe('an entitlement', () => {
  it('has the quantity of its line and the features that its product had when the line was written', async () => {
    const { id: product_id } = await product(acme, { features: [SSO] })
    const buyer = await buyerOf(acme)
    const line_items = [
      { product_id, quantity: 3, unit_price: '1.00' },
      { ...LICENSE_LINE, quantity: 7 },
    ]
    const { invoice_id, quote_id } = await acceptedQuote(app, acme, buyer, { line_items })
    await acme.staff.patch(`/admin/products/${product_id}`, { features: ALL })
    await acme.staff.post(`/invoices/${invoice_id}/pay`, {})
    await app.service.worker.drain()
    await acme.staff.patch(`/admin/products/${product_id}`, { features: [] })
    const { entitlement_ids } = (await buyer.get(`/quotes/${quote_id}`)).data
    const [sold, byHand] = await Promise.all(
      entitlement_ids.map(async (id: number) => (await buyer.get(`/entitlements/${id}`)).data),
    )
    expect(sold).toMatchObject({ product_id, quantity: 3, features: [SSO] })
    expect(byHand).toMatchObject({ product_id: null, quantity: 7, features: [] })
  })
  it('has those of its product when staff create it, unless they give others', async () => {
    const { id: product_id } = await product(acme, { features: ALL })
    expect(await entitlement(acme, { product_id })).toMatchObject({ quantity: 1, features: ALL })
    const own = { product_id, quantity: 1_000_000, features: [] }
    expect(await entitlement(acme, own)).toMatchObject(own)
  })
  it('200 changed by staff, with the values before in the audit log', async () => {
    const { id } = await entitlement(acme, { features: [SSO] })
    const { data } = await acme.staff.patch(`/entitlements/${id}`, { quantity: 9, features: [USERS] })
    expect(data).toMatchObject({ quantity: 9, features: [USERS] })
    expect((await acme.owner.get(`/entitlements/${id}`)).data).toEqual(data)
    const log = await acme.owner.get('/audit-log?resource=entitlement&action=updated')
    expect(log.data[0].changes).toEqual({
      before: { quantity: 1, features: [SSO] },
      after: { quantity: 9, features: [USERS] },
    })
    expect((await acme.owner.patch(`/entitlements/${id}`, { quantity: 99 })).status).toBe(403)
  })
})
