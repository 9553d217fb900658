// `external_id` and `metadata` (docs/interface/general.md) of every record that has them: each list that is filtered by
// an external id, and the route that changes its records.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { createRecords } from '#test/scenes/records.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import type { Route } from '#http/route.ts'
import { propertiesOf } from '#http/features/sparse-fields.ts'
import { lists as allLists, listScene, type ListScene, tableOf } from './lists.ts'

/** What a record of the kind is changed at. */
const recordPathOf = ({ path }: Route): string => (path === '/admin/organizations' ? '/organizations' : path)
const isOwn = ({ path }: Route): boolean => !path.includes('{') && path !== '/invoices/order/{order_id}'
/** The list of an organization's records, for all organizations. */
const isAcross = ({ path, query }: Route): boolean =>
  path.startsWith('/admin/') && 'organization_id' in (propertiesOf(query) ?? {})
const filtered = allLists.filter((route) => 'external_id' in (propertiesOf(route.query) ?? {}) && isOwn(route))
const lists = filtered.filter((route) => !isAcross(route))
const across = filtered.filter(isAcross)
const changeOf = (list: Route): Route | undefined =>
  routes.find(({ method, path }) => /^(PATCH|PUT)$/.test(method) && path === `${recordPathOf(list)}/{id}`)

let scene: ListScene
let staff: Speaker
beforeAll(async () => {
  scene = await listScene()
  staff = scene.acme.staff
  await allowCopies(scene.app.database)
})
afterAll(() => scene.app.close())

const isOfVendor = (list: Route): boolean => list.access.kind === 'vendor'

async function recordsOf(list: Route): Promise<[number, number]> {
  const { app, acme } = scene
  const table = tableOf(scene, list) ?? ''
  const bound = isOfVendor(list) ? '' : `where organization_id = ${acme.id}`
  const [one] = await app.database.query<{ id: number }>(`select min(id) as id from ${table} ${bound}`)
  if (table === 'organizations') return [acme.id, (await app.world.organization()).id]
  await copyRow(app.database, { table, id: one?.id ?? 0, count: 1 }, table === 'products' ? { sku: `'COPY-1'` } : {})
  const [other] = await app.database.query<{ id: number }>(`select max(id) as id from ${table} ${bound}`)
  return [one?.id ?? 0, other?.id ?? 0]
}

async function change(list: Route, id: number, body: object, by: Speaker = staff) {
  const path = `${recordPathOf(list)}/${id}`
  const inside = list.path === '/admin/organizations' ? { 'x-service-organization': String(id) } : {}
  return changeOf(list)?.method === 'PUT' ? by.put(path, body, inside) : by.patch(path, body, inside)
}

it('covers what an ERP mirrors', () => {
  expect(lists.map(({ path }) => path.slice(1)).toSorted()).toEqual(
    [
      'admin/organizations',
      'admin/products',
      'affiliates',
      'contracts',
      'credit-notes',
      'documents',
      'entitlements',
      'environments',
      'invoices',
      'licenses',
      'orders',
      'payments',
      'quotes',
      'refunds',
      'services',
      'tax-invoices',
      'tickets',
    ].toSorted(),
  )
  expect(lists.filter((list) => changeOf(list) === undefined)).toEqual([])
})

describe.each(lists.map((route) => [route.path, route] as const))('%s', (_, list) => {
  const found = async (external_id: string): Promise<number[]> => {
    const { data } = await staff.get(`${list.path}?external_id=${encodeURIComponent(external_id)}`)
    return (data as { id: number }[]).map(({ id }) => id)
  }

  it('finds the record to which an external id was given, and refuses it to a second one', async () => {
    const [one, other] = await recordsOf(list)
    const external_id = `ERP/ã-'"%_${list.path}`
    const given = await change(list, one, { external_id })
    expect([given.status, given.errors, given.data?.external_id]).toEqual([200, null, external_id])
    expect(await found(external_id)).toEqual([one])
    expect(await found(`${external_id}x`)).toEqual([])
    const again = await change(list, one, { external_id })
    expect(again.status).toBe(200)
    const second = await change(list, other, { external_id })
    const reason = list.path === '/admin/organizations' ? 'identifier_taken' : 'external_id_taken'
    expect([second.status, second.errors?.reason]).toEqual([409, reason])
    if (!isOfVendor(list)) expect(second.message).toMatch(new RegExp(` ${one}$`))
    if (list.path !== '/admin/organizations')
      expect((await change(list, 999_999_999, { external_id })).status).toBe(404)
    expect((await change(list, one, { external_id: null })).data?.external_id).toBeNull()
    expect((await change(list, other, { external_id })).status).toBe(200)
    expect(await found(external_id)).toEqual([other])
  })

  it('422 for what is no external id', async () => {
    const [one] = await recordsOf(list)
    for (const external_id of ['', ' ', 7, 'x'.repeat(201), 'a\nb', 'a\u200Bb']) {
      const { status, errors } = await change(list, one, { external_id })
      expect([status, Object.keys(errors?.fields ?? {})], String(external_id)).toEqual([422, ['external_id']])
    }
  })
})

const describing = lists.filter((list) => {
  const body = propertiesOf(changeOf(list)?.body) ?? {}
  return !['/entitlements', '/environments', '/services'].includes(list.path) || !('metadata' in body)
})

describe.each(describing.map((route) => [route.path, route] as const))('metadata at %s', (_, list) => {
  it('is replaced as a whole', async () => {
    const [one] = await recordsOf(list)
    const metadata = { cost_center: '4711', 'açaí "x"': '🍇', constructor: 'x' }
    expect((await change(list, one, { metadata })).data?.metadata).toEqual(metadata)
    expect((await change(list, one, { metadata: { a: 'b' } })).data?.metadata).toEqual({ a: 'b' })
    expect((await change(list, one, { metadata: {} })).data?.metadata).toEqual({})
  })

  it('422 for more, longer or other values, naming them', async () => {
    const [one] = await recordsOf(list)
    const many = Object.fromEntries(Array.from({ length: 51 }, (_value, index) => [`k${index}`, '']))
    for (const [metadata, field] of [
      [{ a: 7 }, 'metadata.a'],
      [{ a: null }, 'metadata.a'],
      [{ a: { b: 'c' } }, 'metadata.a'],
      [{ a: 'x'.repeat(501) }, 'metadata.a'],
      [many, 'metadata'],
      [{ ['k'.repeat(41)]: '' }, 'metadata'],
      [{ '': 'x' }, 'metadata'],
      ['{}', 'metadata'],
      [[], 'metadata'],
      [null, 'metadata'],
    ] as const) {
      const { status, errors } = await change(list, one, { metadata })
      expect(status, JSON.stringify(metadata)).toBe(422)
      expect(Object.keys(errors?.fields ?? {}), JSON.stringify(metadata)).toContain(field)
    }
  })
})

describe('another organization', () => {
  let other: Organization
  beforeAll(async () => {
    other = await scene.app.world.organization()
    await createRecords(scene.app, other)
  })

  it('gives the same external id to a record of its own, and finds only that', async () => {
    const { acme } = scene
    const [mine, theirs] = [acme, other].map(({ id }) =>
      scene.app.database.query<{ id: number }>('select max(id) as id from orders where organization_id = $1', [id]),
    )
    const of = [(await mine)?.[0]?.id, (await theirs)?.[0]?.id]
    expect((await acme.staff.patch(`/orders/${of[0]}`, { external_id: 'SAME' })).status).toBe(200)
    expect((await other.staff.patch(`/orders/${of[1]}`, { external_id: 'SAME' })).status).toBe(200)
    expect((await other.staff.get('/orders?external_id=SAME')).data).toMatchObject([{ id: of[1] }])
    expect((await other.staff.patch(`/orders/${of[0]}`, { external_id: 'X' })).status).toBe(404)
  })

  it.each(across.map((route) => [route.path, route] as const))('%s finds those of all of them', async (path, list) => {
    const table = tableOf(scene, list) ?? ''
    const external_id = `ALL-${table}`
    await scene.app.database.query(
      `update ${table} set external_id = $1 where id in (select max(id) from ${table} group by organization_id)`,
      [external_id],
    )
    const { data } = await staff.get(`${path}?external_id=${external_id}`)
    const owners = data.map((one: { organization_id: number }) => one.organization_id)
    expect(new Set(owners)).toEqual(new Set([scene.acme.id, other.id]))
    expect(owners).toHaveLength(2)
  })
})
