// POST /bulk: each operation has the result that it would have by itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../modules.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { isOperation } from '#http/features/operation-routes.ts'

type Result = {
  index: number
  status: number
  replayed: boolean
  body: { data: never; errors: never; message: string }
}
type Results = { status: number; results: Result[]; statuses: number[] }

let app: TestApp
let acme: Organization
let other: Organization
beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  other = await app.world.organization()
})
afterAll(() => app.close())

async function bulk(operations: object[], by: Speaker = acme.staff, headers = {}): Promise<Results> {
  const { status, data } = await by.post('/bulk', { operations }, headers)
  const results: Result[] = data?.results ?? []
  expect(results.map(({ index }) => index)).toEqual(operations.map((_, index) => index))
  const statuses = results.map((one) => one.status)
  expect([data?.succeeded, data?.failed]).toEqual([
    statuses.filter((one) => one < 400).length,
    statuses.filter((one) => one >= 400).length,
  ])
  return { status, results, statuses }
}

const keyed = (operations: object[], name: string) =>
  acme.staff.post('/bulk', { operations }, { 'idempotency-key': name })
const contracts = async () => (await acme.staff.get('/contracts')).meta?.total
const remove = (id: number, more = {}) => ({ method: 'DELETE', path: `/sites/${id}`, ...more })
const change = (id: number, body: object, more = {}) => ({
  method: 'PATCH',
  path: `/entitlements/${id}`,
  body,
  ...more,
})

describe('POST /bulk', () => {
  it('200 with what each operation answers by itself; one that fails changes nothing of the others', async () => {
    const { id } = await entitlement(acme)
    const contract = { title: 'Maintenance', start_date: '2027-01-01', company: 'entity_br' }
    const { status, results, statuses } = await bulk([
      change(id, { external_id: 'ERP-1' }),
      { method: 'POST', path: '/contracts', body: contract },
      change(id, { external_id: 7, product_name: '' }),
      change(999_999, { external_id: 'ERP-2' }),
      change(id, { product_name: 'Vault' }),
    ])
    expect([status, statuses]).toEqual([200, [200, 201, 422, 404, 200]])
    expect(results[0]?.body).toMatchObject({ success: true, data: { id, external_id: 'ERP-1' }, errors: null })
    const { data: made } = await acme.staff.get('/contracts')
    expect(results[1]?.body.data).toEqual(made[0])
    const alone = await acme.staff.patch(`/entitlements/${id}`, { external_id: 7, product_name: '' })
    const named = Object.entries(alone.errors?.fields ?? {}).map(([field, problem]) => [
      `operations.2.${field}`,
      problem,
    ])
    expect(named).toHaveLength(2)
    expect(results[2]?.body.errors).toMatchObject({ code: 'VALIDATION_ERROR', fields: Object.fromEntries(named) })
    expect(results[3]?.body).toMatchObject({ success: false, message: 'Entitlement not found' })
    expect((await acme.staff.get(`/entitlements/${id}`)).data).toEqual(results[4]?.body.data)
  })

  it('has a conflict for the second of two that are equal, with its reason', async () => {
    const ids = [(await entitlement(acme)).id, (await entitlement(acme)).id]
    const { statuses, results } = await bulk(ids.map((id) => change(id, { external_id: 'TWICE' })))
    expect(statuses).toEqual([200, 409])
    expect(results[1]?.body.errors).toMatchObject({ reason: 'external_id_taken', docs_url: expect.any(String) })
  })

  it('checks the access of each operation', async () => {
    const { id } = await entitlement(acme)
    const theirs = (await entitlement(other)).id
    const clerk = await acme.member({ scopes: ['orders'] })
    const operations = [change(id, { quantity: 2 }), { method: 'POST', path: '/sites', body: { domain: 'a.example' } }]
    expect((await bulk(operations, clerk)).statuses).toEqual([403, 403])
    expect((await bulk([...operations, change(theirs, { quantity: 2 })], acme.owner)).statuses).toEqual([403, 201, 403])
    expect((await bulk([change(theirs, { quantity: 2 })])).statuses).toEqual([404])
    expect(
      (await acme.owner.post('/bulk', { operations: [change(id, {})] }, { 'x-service-organization': String(other.id) }))
        .status,
    ).toBe(403)
  })

  it('writes the audit entry of each operation, and of the visit of staff', async () => {
    const { id } = await entitlement(acme)
    await bulk([change(id, { product_name: 'Audited' })])
    const [entry] = (await acme.owner.get(`/audit-log?resource=entitlement&resource_id=${id}&per_page=1`)).data
    expect(entry).toMatchObject({ action: 'updated', resource: 'entitlement', resource_id: id })
    const visits = (await acme.owner.get('/audit-log?action=staff_entry&per_page=2')).data as { reason: string }[]
    expect(visits).toHaveLength(2)
  })

  it('404 for what is no operation', async () => {
    const { id } = await entitlement(acme)
    const paths = [
      '/nothing',
      '/bulk',
      '/documents',
      '/auth/api-keys',
      `/entitlements/${id}/`,
      `/entitlements//`,
      '/admin/products',
      '/entitlements/%',
    ]
    const { statuses } = await bulk(paths.map((path) => ({ method: 'POST', path, body: {} })))
    expect(statuses).toEqual(paths.map(() => 404))
  })

  it('removes records, each with its own refusal', async () => {
    const make = async () => (await acme.staff.post('/sites', { domain: `${Math.random()}.example` })).data.id
    const [one, second] = [await make(), await make()]
    const theirs = (await other.owner.post('/sites', { domain: 'theirs.example' })).data.id
    const operations = [remove(one), remove(one), remove(second, { if_match: '"other"' }), remove(theirs)]
    expect((await bulk(operations, acme.owner)).statuses).toEqual([200, 404, 412, 404])
    expect((await acme.owner.get(`/sites/${second}`)).status).toBe(200)
    expect((await other.owner.get(`/sites/${theirs}`)).status).toBe(200)
    expect((await bulk([{ method: 'DELETE', path: `/organizations/${acme.id}` }], acme.owner)).statuses).toEqual([404])
  })

  it('takes the query of an operation: a dry run changes nothing', async () => {
    const { id } = await entitlement(acme)
    const path = `/entitlements/${id}/suspend`
    const { results, statuses } = await bulk([
      { method: 'POST', path: `${path}?dry_run=true`, body: { reason: 'A check' } },
      { method: 'POST', path: `${path}?dry_run=perhaps`, body: {} },
      { method: 'POST', path: `${path}?x=1`, body: {} },
    ])
    expect(statuses).toEqual([200, 422, 422])
    expect(results[0]?.body.data).toMatchObject({ is_complete: true })
    expect((await acme.staff.get(`/entitlements/${id}`)).data.status).toBe('active')
  })

  it('takes the If-Match of an operation, and not that of the request', async () => {
    const { id } = await entitlement(acme)
    const etag = String((await acme.staff.get(`/entitlements/${id}`)).headers['etag'])
    const operations = [{ if_match: etag }, { if_match: etag }, {}].map((more, index) =>
      change(id, { quantity: index + 2 }, more),
    )
    expect((await bulk(operations, acme.staff, { 'if-match': '"x"' })).statuses).toEqual([200, 412, 200])
  })

  it('is repeatable: what was done is answered again, and the rest is done', async () => {
    const { id } = await entitlement(acme)
    const ticket = {
      method: 'POST',
      path: '/contracts',
      body: { title: 'Once', start_date: '2027-01-01', company: 'entity_br' },
    }
    const refused = change(id, { external_id: 'REPEATED' })
    const holder = (await entitlement(acme)).id
    await bulk([change(holder, { external_id: 'REPEATED' })])
    const key = { 'idempotency-key': 'bulk-1' }
    const first = await bulk([ticket, ticket, refused], acme.staff, key)
    expect(first.statuses).toEqual([201, 201, 409])
    await bulk([change(holder, { external_id: null })])
    const second = await bulk([ticket, ticket, refused], acme.staff, key)
    expect(second.statuses).toEqual([201, 201, 200])
    expect(second.results.map(({ replayed }) => replayed)).toEqual([true, true, false])
    expect(second.results.slice(0, 2).map(({ body }) => body)).toEqual(
      first.results.slice(0, 2).map(({ body }) => body),
    )
    expect((await acme.staff.post('/bulk', { operations: [ticket] }, { 'idempotency-key': 'a b' })).status).toBe(400)
  })

  it('422 for another body with its key, also the same in another order; of two at once one is done', async () => {
    const body = { title: 'Ordered', start_date: '2027-01-01', company: 'entity_br' }
    const operations = [
      { method: 'POST', path: '/contracts', body },
      { method: 'POST', path: '/sites', body: { domain: 'ordered.example' } },
    ]
    const before = Number(await contracts())
    expect((await keyed(operations, 'bulk-2')).status).toBe(200)
    for (const changed of [operations.toReversed(), operations.slice(0, 1), [...operations, ...operations]]) {
      const { status, errors } = await keyed(changed, 'bulk-2')
      expect([status, errors?.reason]).toEqual([422, 'idempotency_key_reused'])
    }
    expect(await contracts()).toBe(before + 1)
    const titled = (title: string) => [{ method: 'POST', path: '/contracts', body: { ...body, title } }]
    const atOnce = await Promise.all(['One', 'Two'].map((title) => keyed(titled(title), 'bulk-3')))
    expect(atOnce.map(({ status }) => status).toSorted((one, second) => one - second)).toEqual([200, 422])
    expect(await contracts()).toBe(before + 2)
    await app.database.query(`update idempotency_keys set created_at = created_at - interval '24 hours'`)
    expect((await keyed(titled('Three'), 'bulk-3')).status).toBe(200)
    expect((await keyed(titled('Four'), 'bulk-3')).status).toBe(422)
  })

  it('takes a key of an operation, which is that of the operation by itself', async () => {
    const body = { title: 'Keyed', start_date: '2027-01-01', company: 'entity_br' }
    const one = { method: 'POST', path: '/contracts', body, idempotency_key: 'own-1' }
    const { results } = await bulk([one, one])
    expect(results.map(({ status, replayed }) => [status, replayed])).toEqual([
      [201, false],
      [201, true],
    ])
    const alone = await acme.staff.post('/contracts', body, { 'idempotency-key': 'own-1' })
    expect(alone.data).toEqual(results[0]?.body.data)
    expect((await bulk([{ ...one, idempotency_key: 'a b' }])).statuses).toEqual([400])
  })

  it.each([
    ['no operations', { operations: [] }, 'operations'],
    ['101 operations', { operations: Array.from({ length: 101 }, () => change(1, {})) }, 'operations'],
    ['a method that changes nothing', { operations: [{ method: 'GET', path: '/quotes' }] }, 'operations.0.method'],
    ['a path of another host', { operations: [{ method: 'POST', path: 'https://a.example/' }] }, 'operations.0.path'],
    ['an unknown field', { operations: [change(1, {}, { headers: {} })] }, 'operations.0.headers'],
    ['a body that is no object', { operations: [change(1, [])] }, 'operations.0.body'],
  ])('422 for %s, and nothing happens', async (_, body, field) => {
    const { status, errors } = await acme.staff.post('/bulk', body)
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, [field]])
  })

  it('counts each operation as a request', async () => {
    const limited = await startApp({ environment: { LIMIT_REQUESTS: '10/60' } })
    try {
      const { staff } = await limited.world.organization()
      const operations = Array.from({ length: 12 }, () => change(1, {}))
      const { data, headers } = await staff.post('/bulk', { operations })
      const statuses: number[] = data.results.map(({ status }: Result) => status)
      expect(statuses.at(-1)).toBe(429)
      expect(statuses.indexOf(429)).toBeLessThanOrEqual(10)
      expect(headers['ratelimit']).toContain('r=0')
    } finally {
      await limited.close()
    }
  })
})

it('takes what creates, changes and removes records, and asks nobody else', () => {
  const names = routes.filter(isOperation).map(({ method, path }) => `${method} ${path}`)
  for (const name of [
    'POST /quotes',
    'PATCH /entitlements/{id}',
    'PUT /organizations/{id}',
    'POST /invoices/{id}/pay',
    'DELETE /sites/{id}',
  ])
    expect(names).toContain(name)
  for (const name of [
    'POST /documents',
    'POST /auth/api-keys',
    'POST /sites/{id}/verify',
    'POST /refunds/{id}/settle',
    'DELETE /organizations/{id}',
  ])
    expect(names).not.toContain(name)
  expect(names.filter((name) => /\/(auth\/(?!api-keys\/)|admin\/|public\/|webhooks\/)/.test(name))).toEqual([])
})
