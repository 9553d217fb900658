// The catalogue for administrators.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const administrator = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })

let next = 0
const PRICE = { company: 'entity_br', currency: 'BRL', unit_price: '10' }
const add = async (more: object = {}) => {
  const body = { sku: `SKU-${++next}`, name: 'Backup Pro', entitlement_class: 'PLG', ...more }
  const answer = await administrator.post('/admin/products', body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}
const at = (id: number, more = '') => `/admin/products/${id}${more}`
const addPrice = (id: number, more: object = {}) => administrator.post(at(id, '/prices'), { ...PRICE, ...more })
const fieldsOf = (answer: Awaited<ReturnType<Speaker['get']>>) => {
  expect(answer.status).toBe(422)
  return Object.keys(answer.errors?.fields ?? {})
}
const auditOf = async (resource: string, id: number) => {
  const { data } = await administrator.get(`/admin/audit-log?log=service&resource=${resource}&resource_id=${id}`)
  return data.map(({ action, changes }: { action: string; changes: { after: unknown } }) => [action, changes.after])
}

describe('/admin/products', () => {
  it.each([
    ['get', ''],
    ['post', ''],
    ['get', '/1'],
    ['patch', '/1'],
    ['get', '/1/prices'],
    ['post', '/1/prices'],
    ['patch', '/1/prices/1'],
  ] as const)('%s %s: 403 for customers, owners too, and 401 without credentials', async (method, path) => {
    const { owner } = await app.world.organization()
    expect((await owner[method](`/admin/products${path}`)).status).toBe(403)
    expect((await app.world.anonymous[method](`/admin/products${path}`)).status).toBe(401)
  })
})

describe('GET /admin/products', () => {
  it('200 searched ignoring case and accents, filtered, paginated, with the current prices', async () => {
    const one = await add({ name: 'Ótimo 100%', entitlement_class: 'EDU' })
    const other = await add({ sku: 'OTIMO-2', name: 'Plain', active: false })
    await addPrice(one.id)
    const ids = async (query: string) =>
      (await administrator.get(`/admin/products?${query}`)).data.map(({ id }: { id: number }) => id)
    expect(await ids('search=otimo')).toEqual([other.id, one.id])
    expect(await ids('search=otimo%20100%25')).toEqual([one.id])
    expect(await ids('search=otimo&active=true')).toEqual([one.id])
    expect(await ids('search=otimo&active=false')).toEqual([other.id])
    expect(await ids('search=otimo&entitlement_class=EDU')).toEqual([one.id])
    const { data, meta } = await administrator.get('/admin/products?search=otimo&per_page=1&page=2')
    expect(data).toMatchObject([{ id: one.id, prices: [{ unit_price: '10.00', active: true, ended_at: null }] }])
    expect(meta).toMatchObject({ total: 2, pages: 2 })
    expect(fieldsOf(await administrator.get('/admin/products?active=yes&colour=red')).toSorted()).toEqual([
      'active',
      'colour',
    ])
  })
})

describe('POST /admin/products', () => {
  it('201 with an entry in the service’s audit log', async () => {
    const body = {
      sku: 'A.b_c/1-2',
      name: '“Açaí” 🫐 العربية',
      description: null,
      entitlement_class: 'SVC',
      update_months: 24,
      service_code: '010501001',
      nbs_code: '111032200',
      iss_rate: '2.90',
      tax_issue_rule: 'next_month_day:5',
      features: [{ key: 'seats', type: 'number', value: 5 }],
      active: true,
      external_id: 'ERP-1',
      metadata: { cost_center: '4711' },
    }
    const product = await add(body)
    expect(product).toEqual({
      ...body,
      id: expect.any(Number),
      prices: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await administrator.get(at(product.id))).data).toEqual(product)
    expect(await auditOf('product', product.id)).toEqual([['created', { before: null, after: body }]])
  })
  it('409 for a SKU that is taken, in another case too; of 8 at once one is created', async () => {
    await add({ sku: 'Taken-1' })
    const body = { sku: 'TAKEN-1', name: 'x', entitlement_class: 'PLG' }
    expect((await administrator.post('/admin/products', body)).status).toBe(409)
    const many = Array.from({ length: 8 }, () => administrator.post('/admin/products', { ...body, sku: 'MANY-1' }))
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    expect(statuses.toSorted((one, two) => one - two)).toEqual([201, ...Array(7).fill(409)])
  })
  it.each([
    ['sku', { sku: '' }],
    ['sku', { sku: 'a b' }],
    ['sku', { sku: 'x'.repeat(65) }],
    ['name', { name: ' ' }],
    ['entitlement_class', { entitlement_class: 'XXX' }],
    ['update_months', { update_months: 0 }],
    ['active', { active: 'yes' }],
    ['prices', { prices: [] }],
  ])('422 on %s', async (field, change) => {
    const body = { sku: 'GOOD-1', name: 'x', entitlement_class: 'PLG', ...change }
    expect(fieldsOf(await administrator.post('/admin/products', body))).toEqual([field])
  })
})

describe('PATCH /admin/products/{id}', () => {
  it('200 changes the given fields, with the old values in the audit log', async () => {
    const { id, sku } = await add()
    const { data } = await administrator.patch(at(id), { name: 'New', active: false, sku })
    expect(data).toMatchObject({ name: 'New', active: false, sku, entitlement_class: 'PLG' })
    await administrator.patch(at(id), { name: 'New' })
    const [[action, change], ...older] = await auditOf('product', id)
    expect([action, change]).toEqual([
      'updated',
      { before: { name: 'Backup Pro', active: true }, after: { name: 'New', active: false } },
    ])
    expect(older).toHaveLength(1)
  })
  it('409 for another product’s SKU, 404 for an unknown product, 422 for an unknown field', async () => {
    const [one, other] = [await add(), await add()]
    expect((await administrator.patch(at(one.id), { sku: other.sku.toLowerCase() })).status).toBe(409)
    expect((await administrator.get(at(one.id))).data).toEqual(one)
    expect((await administrator.patch(at(999_999), { name: 'x' })).status).toBe(404)
    expect((await administrator.get(at(999_999))).status).toBe(404)
    expect(fieldsOf(await administrator.patch(at(one.id), { price: '1' }))).toEqual(['price'])
  })
})

describe('prices', () => {
  it('201 with one current price for each company and currency: the one before ends, and stays listed', async () => {
    const { id } = await add()
    const first = (await addPrice(id)).data
    await addPrice(id, { currency: 'JPY', unit_price: '100' })
    await addPrice(id, { company: 'entity_global', unit_price: '7.5' })
    const second = (await addPrice(id, { unit_price: '12.5', term_months: 6, tax_percent: '18' })).data
    expect(second).toMatchObject({
      product_id: id,
      unit_price: '12.50',
      term_months: 6,
      tax_percent: '18.00',
      active: true,
    })
    const inForce = (await administrator.get(at(id))).data.prices
    expect(inForce.map(({ unit_price }: { unit_price: string }) => unit_price)).toEqual(['12.50', '100', '7.50'])
    expect(inForce[0]).toEqual(second)
    const all = await administrator.get(at(id, '/prices?company=entity_br&currency=BRL'))
    expect(all.data).toMatchObject([{ id: second.id }, { id: first.id, active: false, ended_at: expect.any(String) }])
    expect((await administrator.get(at(id, '/prices?active=false'))).meta?.total).toBe(1)
    expect((await administrator.get(at(id, '/prices'))).meta?.total).toBe(4)
    expect((await auditOf('price', first.id)).map(([action]: [string]) => action)).toEqual(['ended', 'created'])
  })
  it('201 for 8 at once, of which one is current', async () => {
    const { id } = await add()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => addPrice(id, { unit_price: `${n + 1}` })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect((await administrator.get(at(id))).data.prices).toHaveLength(1)
    expect((await administrator.get(at(id, '/prices'))).meta?.total).toBe(8)
  })
  it('200 ends one, 409 the second time, 404 at another product', async () => {
    const [one, other] = [await add(), await add()]
    const { data: price } = await addPrice(one.id)
    const path = at(one.id, `/prices/${price.id}`)
    expect((await administrator.patch(at(other.id, `/prices/${price.id}`), { active: false })).status).toBe(404)
    expect((await administrator.patch(path, { active: false })).data).toMatchObject({ active: false })
    expect((await administrator.patch(path, { active: false })).status).toBe(409)
    expect((await administrator.patch(at(one.id, '/prices/999999'), { active: false })).status).toBe(404)
    for (const body of [{ active: true }, {}, { active: false, unit_price: '1' }])
      expect((await administrator.patch(path, body)).status).toBe(422)
    expect((await administrator.get(at(one.id))).data.prices).toEqual([])
  })
  it.each([
    ['unit_price', { unit_price: '1.001' }],
    ['unit_price', { unit_price: '-1' }],
    ['unit_price', { unit_price: 1 }],
    ['unit_price', { unit_price: '1.50', currency: 'JPY' }],
    ['currency', { currency: 'XXX' }],
    ['company', { company: 'entity_mars' }],
    ['term_months', { term_months: 0 }],
    ['term_months', { term_months: 241 }],
    ['tax_percent', { tax_percent: '100.01' }],
  ])('422 on %s: %o', async (field, change) => {
    const { id } = await add()
    expect(fieldsOf(await addPrice(id, change))).toEqual([field])
    expect((await administrator.get(at(id, '/prices'))).meta?.total).toBe(0)
  })
  it('404 for an unknown product', async () => {
    expect((await addPrice(999_999)).status).toBe(404)
    expect((await administrator.get(at(999_999, '/prices'))).status).toBe(404)
  })
})
