// If-Match: a change happens only to the record that its sender has seen.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../modules.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { createRecords } from '#test/scenes/records.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { isTagged } from '#http/features/entity-tag.ts'
import { recordReadOf } from '#http/features/precondition.ts'

let app: TestApp
let acme: Organization
beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
})
afterAll(() => app.close())

const tagOf = async (path: string, by: Speaker = acme.staff) => String((await by.get(path)).headers['etag'])
const having = (etag: string) => ({ 'if-match': etag })

describe('If-Match', () => {
  it('200 with the ETag of the record, 412 with that of before, and nothing happens', async () => {
    const path = `/entitlements/${(await entitlement(acme)).id}`
    const etag = await tagOf(path)
    const first = await acme.staff.patch(path, { product_name: 'Vault' }, having(etag))
    const second = await acme.staff.patch(path, { product_name: 'Safe' }, having(etag))
    expect([first.status, second.status, second.errors?.code]).toEqual([200, 412, 'PRECONDITION_FAILED'])
    expect((await acme.staff.get(path)).data.product_name).toBe('Vault')
  })

  it.each([
    ['*', 200],
    ['"x", "y"', 412],
    ['x', 412],
    ['', 412],
  ])('%s is %i', async (header, status) => {
    const path = `/entitlements/${(await entitlement(acme)).id}`
    expect((await acme.staff.patch(path, { product_name: 'Vault' }, having(header))).status).toBe(status)
  })

  it('takes one of several tags, but no weak one', async () => {
    const path = `/entitlements/${(await entitlement(acme)).id}`
    const etag = await tagOf(path)
    const patch = (header: string, quantity: number) => acme.staff.patch(path, { quantity }, having(header))
    expect((await patch(`W/${etag}`, 2)).status).toBe(412)
    expect((await patch(`"x", ${etag}`, 2)).status).toBe(200)
  })

  it('holds for records of other records', async () => {
    const records = await createRecords(app, acme)
    const sku = { sku: 'MATCH-1', name: 'Match', entitlement_class: 'PLG' }
    const product = (await acme.staff.post('/admin/products', sku)).data
    const newPrice = { company: 'entity_br', currency: 'BRL', unit_price: '10.00' }
    const price = (await acme.staff.post(`/admin/products/${product.id}/prices`, newPrice)).data
    for (const [path, body] of [
      [`/admin/products/${product.id}/prices/${price.id}`, { external_id: 'P-1' }],
      [`/services/${records['services']}/milestones/${records['milestones']}`, { title: 'Moved' }],
      [`/environments/${records['environments']}/maintenance-windows/${records['maintenance-windows']}`, { note: 'x' }],
    ] as const) {
      const etag = await tagOf(path)
      const answers = [
        await acme.staff.patch(path, body, having(etag)),
        await acme.staff.patch(path, body, having(etag)),
      ]
      expect(
        answers.map(({ status }) => status),
        path,
      ).toEqual([200, 412])
      expect((await acme.staff.get(path)).data).toEqual(answers[0]?.data)
      const elsewhere = path.replace(/\/\d+\//, '/999999/')
      expect((await acme.staff.get(elsewhere)).status, elsewhere).toBe(404)
    }
    const { status, data } = await acme.staff.get(`/admin/products/${product.id}/prices/${price.id}`)
    expect([status, data.unit_price, data.external_id]).toEqual([200, '10.00', 'P-1'])
  })

  it('holds for a hold and for the rate of a month, which their PUT creates too', async () => {
    for (const [path, one, other] of [
      ['/dunning/hold', { until: '2999-12-31', reason: 'A plan' }, { until: '2999-11-30', reason: 'Another plan' }],
      ['/admin/price-indexes/MATCH/rates/2026-01', { rate: '0.56' }, { rate: '0.57' }],
    ] as const) {
      expect((await acme.staff.get(path)).status, path).toBe(404)
      expect((await acme.staff.put(path, one)).status, path).toBe(200)
      const etag = await tagOf(path)
      const changes = [await acme.staff.put(path, other, having(etag)), await acme.staff.put(path, one, having(etag))]
      expect(
        changes.map(({ status }) => status),
        path,
      ).toEqual([200, 412])
      expect((await acme.staff.get(path)).data, path).toEqual(changes[0]?.data)
      expect((await acme.staff.delete(path, having(etag))).status, path).toBe(412)
      expect((await acme.staff.delete(path, having(await tagOf(path)))).status, path).toBe(200)
    }
  })

  it('holds for the roles of a person of staff', async () => {
    const { userId } = await acme.staffAs('support')
    const path = `/admin/staff/${userId}`
    const change = (role: string, tag: string) =>
      acme.staff.put(path, { roles: [role], reason: 'Another team' }, having(tag))
    const etag = await tagOf(path)
    expect((await change('sales', etag)).status).toBe(200)
    expect((await change('finance', etag)).status).toBe(412)
    expect((await acme.staff.get(path)).data.roles).toEqual(['sales'])
  })

  it('holds for what is done to the record', async () => {
    const path = `/quotes/${await sentQuote(acme)}`
    const etag = await tagOf(path)
    const { status } = await acme.owner.post(`${path}/accept`, {}, having(etag))
    expect(status).toBe(200)
    expect((await acme.staff.post(`${path}/cancel`, {}, having(etag))).status).toBe(412)
  })

  it('is as the caller sees the record, also when reading it is what changes it', async () => {
    const path = `/quotes/${await sentQuote(acme)}`
    const first = String((await acme.owner.get(path)).headers['etag'])
    expect(await tagOf(path, acme.owner)).toBe(first)
    expect((await acme.owner.post(`${path}/reject`, { reason: 'Too dear' }, having(first))).status).toBe(200)
  })

  it('comes after 403, 404 and 422, and after the answer of the same Idempotency-Key', async () => {
    const path = `/entitlements/${(await entitlement(acme)).id}`
    expect((await acme.owner.patch(path, { product_name: 'A' }, having('"x"'))).status).toBe(403)
    expect((await acme.staff.patch('/entitlements/999999', { product_name: 'A' }, having('"x"'))).status).toBe(404)
    expect((await acme.staff.patch(path, { product_name: 7 }, having('"x"'))).status).toBe(422)
    const once = { ...having(await tagOf(path)), 'idempotency-key': 'once' }
    for (let time = 0; time < 2; time++)
      expect((await acme.staff.patch(path, { product_name: 'Vault' }, once)).status).toBe(200)
  })

  it('holds for a dry run', async () => {
    const { id } = await entitlement(acme)
    const path = `/entitlements/${id}/suspend?dry_run=true`
    expect((await acme.staff.post(path, { reason: 'A check' }, having('"x"'))).status).toBe(412)
    expect(
      (await acme.staff.post(path, { reason: 'A check' }, having(await tagOf(`/entitlements/${id}`)))).status,
    ).toBe(200)
  })

  it('412 where what is changed has no ETag', async () => {
    const { status } = await acme.staff.post('/admin/users/999999/disable', {}, having('"x"'))
    expect(status).toBe(412)
  })

  it('412 for a POST that only reads: a preview, and the links, which have no ETag', async () => {
    const quote = await sentQuote(acme)
    const preview = (tag: string) => acme.owner.post(`/quotes/${quote}/preview`, {}, having(tag))
    expect((await preview('"x"')).status).toBe(412)
    expect((await preview(await tagOf(`/quotes/${quote}`, acme.owner))).status).toBe(200)
    const { id } = (await acme.owner.post('/privacy/exports')).data
    await app.service.worker.drain()
    const link = `/privacy/exports/${id}/link`
    expect((await acme.owner.post(link, undefined, having('"x"'))).status).toBe(412)
    expect(
      (await acme.owner.post(link, undefined, having(await tagOf(`/privacy/exports/${id}`, acme.owner)))).status,
    ).toBe(200)
  })

  it('holds for the record of the caller, which has no id in its path', async () => {
    const etag = await tagOf('/auth/me', acme.owner)
    const rename = (name: string, tag: string) => acme.owner.put('/auth/me', { name }, having(tag))
    expect((await rename('Nobody', '"x"')).status).toBe(412)
    const answers = await Promise.all(['Ana', 'Bia', 'Carla', 'Dora'].map((name) => rename(name, etag)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412, 412, 412])
    const { name } = (await acme.owner.get('/auth/me')).data
    expect(answers.find(({ status }) => status === 200)?.data.name).toBe(name)
  })

  it('412 for all of a list at once, which has no ETag', async () => {
    const { owner } = await app.world.organization()
    expect((await owner.delete('/auth/sessions', having('"x"'))).status).toBe(412)
  })

  it.each(['/entitlements', '/admin/products'])('of 64 at once one is the first: %s', async (list) => {
    const sku = { sku: 'ONE-OF-64', name: 'One of 64', entitlement_class: 'PLG' }
    const { id } = list === '/entitlements' ? await entitlement(acme) : (await acme.staff.post(list, sku)).data
    const path = `${list}/${id}`
    const etag = await tagOf(path)
    const name = list === '/entitlements' ? 'product_name' : 'name'
    const change = (number: number): Promise<Answer> =>
      acme.staff.patch(path, { [name]: `Number ${number}` }, having(etag))
    const answers = await Promise.all(Array.from({ length: 64 }, (_, number) => change(number)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(63)
    const won = answers.find(({ status }) => status === 200)
    expect((await acme.staff.get(path)).data[name]).toBe(won?.data[name])
  })
})

const pathOf = (method: string, path: string) => {
  const route = routes.find((one) => one.method === method && one.path === path)
  return route ? (recordReadOf(route, routes)?.route.path ?? null) : 'no such route'
}

describe('the record of a change', () => {
  it('is found for each record that has an answer of its own', () => {
    const records = new Set(
      routes.filter((route) => isTagged(route) && route.path.endsWith('}')).map(({ path }) => path),
    )
    const changes = routes.filter(
      ({ method, path }) => ['PUT', 'PATCH', 'DELETE'].includes(method) && records.has(path),
    )
    expect(changes.filter((route) => recordReadOf(route, routes)?.route.path !== route.path)).toEqual([])
    expect(changes.length).toBeGreaterThan(15)
  })

  it('is there for every PUT and PATCH, but for those that docs/interface/general.md names', () => {
    const changes = routes.filter(({ method }) => ['PUT', 'PATCH'].includes(method))
    const without = changes.filter((route) => !recordReadOf(route, routes))
    expect(without.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'PATCH /admin/price-indexes/{price_index}/rates',
      'PUT /me/inbox/{id}',
      'PUT /public/notices/{token}',
    ])
  })

  it('is not the one that it only belongs to', () => {
    expect(pathOf('POST', '/quotes/{id}/accept')).toBe('/quotes/{id}')
    expect(pathOf('POST', '/orders/{id}/status')).toBe('/orders/{id}')
    expect(pathOf('PUT', '/auth/me')).toBe('/auth/me')
    expect(pathOf('POST', '/tickets/{id}/issue')).toBe('/tickets/{id}')
    expect(pathOf('DELETE', '/tickets/{id}/issue')).toBe('/tickets/{id}/issue')
    const subscription = '/orders/{id}/subscription'
    expect(pathOf('PATCH', subscription)).toBe(subscription)
    expect(pathOf('DELETE', `${subscription}/cancel`)).toBe(subscription)
    const milestone = '/services/{id}/milestones/{milestone_id}'
    expect(pathOf('PATCH', milestone)).toBe(milestone)
    expect(pathOf('DELETE', '/quotes/{id}/links/{link_id}')).toBe(null)
  })
})

describe('REQUIRE_IF_MATCH', () => {
  it('428 for a change of a record without If-Match, not for acts, for what has no ETag and for what is not there yet', async () => {
    const strict = await startApp({ environment: { REQUIRE_IF_MATCH: '1' } })
    try {
      const other = await strict.world.organization()
      const path = `/entitlements/${(await entitlement(other)).id}`
      const refused = await other.staff.patch(path, { product_name: 'Vault' })
      expect([refused.status, refused.errors?.code]).toEqual([428, 'PRECONDITION_REQUIRED'])
      const etag = String((await other.staff.get(path)).headers['etag'])
      expect((await other.staff.patch(path, { product_name: 'Vault' }, having(etag))).status).toBe(200)
      expect((await other.staff.post(`${path}/suspend`, { reason: 'A check' })).status).toBe(200)
      const set = (rate: string) => other.staff.put('/admin/price-indexes/NEW/rates/2026-01', { rate })
      expect([(await set('0.56')).status, (await set('0.57')).status]).toEqual([200, 428])
      expect((await other.staff.patch('/entitlements/999999', { product_name: 'Vault' })).status).toBe(404)
    } finally {
      await strict.close()
    }
  })
})
