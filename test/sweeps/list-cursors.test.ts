// Every list with a cursor, derived from the routes: the records behind each cursor are the list, in each order, and a
// record that is there all the time is seen once, whatever comes and goes meanwhile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '#test/harness/seeds.ts'
import type { Route } from '#http/route.ts'
import { Type } from 'typebox'
import { allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import type { Answer } from '#test/harness/world.ts'
import { filtersOf } from './list-filters.ts'
import { lists as allLists, listScene, type ListScene, parametersOf, tableOf } from './lists.ts'

const COPIES = 23

const lists = allLists.filter(({ query }) => Type.IsObject(query) && 'cursor' in query.properties)

/** Lists that cannot be compared so, and the reason. */
const APART: Record<string, string> = {
  '/lineage': 'it needs a question, and has few answers',
  '/admin/webhook-endpoints/{id}/deliveries': 'the statement of an organization’s list, which is read here',
  '/admin/audit-log': 'each reading by staff adds to it',
}

let scene: ListScene
beforeAll(async () => {
  scene = await listScene()
  const { app } = scene
  await allowCopies(app.database)
  for (const table of new Set(lists.map((route) => tableOf(scene, route) ?? ''))) {
    const [row] = table === '' ? [] : await app.database.query<{ id: number }>(`select max(id) as id from ${table}`)
    if (row?.id) await copyRow(app.database, { table, id: row.id, count: COPIES })
  }
})
afterAll(() => scene.app.close())

const pathOf = (route: Route): string =>
  Object.entries(parametersOf(scene, route)).reduce(
    (made, [name, value]) => made.replace(`{${name}}`, String(value)),
    route.path,
  )

/** By the owner where possible, since each reading by staff adds to the audit log. */
const ask = (path: string, query: Record<string, string>): Promise<Answer> =>
  scene.acme[path.startsWith('/admin') ? 'staff' : 'owner'].get(`${path}?${new URLSearchParams(query).toString()}`)

/** All records, by following the cursors; `between` runs before each further request. */
async function followed(path: string, query: Record<string, string>, between?: () => Promise<unknown>) {
  const found: unknown[] = []
  let cursor: string | null = 'first'
  for (let asked = 0; cursor !== null && asked < 200; asked++) {
    if (asked > 0) await between?.()
    const { status, data, meta, errors }: Answer = await ask(path, { ...query, cursor })
    expect([status, errors, meta?.page]).toEqual([200, null, null])
    found.push(...data)
    cursor = meta?.next_cursor ?? null
  }
  expect(cursor).toBe(null)
  return found
}

describe('every list with a cursor', () => {
  it('is found', () => expect(lists.length).toBeGreaterThan(50))

  it.each(lists.map((route) => [route.path, route] as const))('%s is the same by its cursors', async (path, route) => {
    if (path in APART) return
    const sorts = filtersOf(route).find(({ name }) => name === 'sort')?.enum ?? []
    for (const sort of some([undefined, ...sorts.toReversed()], 2)) {
      const query = { per_page: '7', ...(sort !== undefined && { sort }) }
      const whole = await ask(pathOf(route), { ...query, per_page: '100' })
      expect(whole.status).toBe(200)
      expect(await followed(pathOf(route), query), sort).toEqual(whole.data)
    }
  })
})

describe('a cursor', () => {
  const path = '/entitlements'
  const next = async (query: Record<string, string> = {}) =>
    (await ask(path, { per_page: '2', cursor: 'first', ...query })).meta?.next_cursor ?? ''

  it('gives no total, unless it is asked for', async () => {
    const { meta } = await ask(path, { cursor: 'first', per_page: '2' })
    expect(meta).toEqual({ page: null, per_page: 2, total: null, pages: null, next_cursor: expect.any(String) })
    const total = (await ask(path, {})).meta?.total ?? 0
    const counted = await ask(path, { cursor: 'first', per_page: '2', count: 'true' })
    expect(counted.meta).toMatchObject({ total, pages: Math.ceil(total / 2) })
  })

  it.each([
    ['of another order', { sort: 'id' }],
    ['of another filter', { status: 'active' }],
    ['of another range', { 'created_at[gte]': '2020-01-01T00:00:00.000Z' }],
  ])('422 %s', async (_, query) => {
    const { status, errors } = await ask(path, { cursor: await next(), ...query })
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['cursor']])
  })

  it('422 of another list, changed, or made up', async () => {
    const cursor = await next()
    const [position = '', signed = ''] = cursor.split('.')
    const other = Buffer.from('[1,null]').toString('base64url')
    for (const wrong of [
      `${other}.${signed}`,
      position,
      `${position}.`,
      `${cursor}.x`,
      '',
      'x',
      `${position}.${signed.slice(1)}`,
    ])
      expect([wrong, (await ask(path, { cursor: wrong })).status]).toEqual([wrong, 422])
    expect((await ask('/quotes', { cursor })).status).toBe(422)
  })

  it('422 of another organization', async () => {
    const other = scene.app.world.inside(scene.acme.staff, (await scene.app.world.organization()).id)
    const { status, errors } = await other.get(`${path}?cursor=${await next()}`)
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['cursor']])
  })

  it.each([
    ['page', { page: '1' }],
    ['cursor', { search: 'backup' }],
  ])('422 names %s, with which it cannot be combined', async (field, query) => {
    const { status, errors } = await ask(path, { cursor: 'first', ...query })
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, [field]])
  })

  it('may change the size of its pages', async () => {
    const rest = await ask(path, { cursor: await next(), per_page: '100' })
    const whole = await ask(path, { per_page: '100' })
    expect(rest.data).toEqual(whole.data.slice(2))
  })

  it.each(['id', '-id', 'created_at', '-created_at'])(
    'sees each record once that is there throughout, sorted by %s',
    async (sort) => {
      const { app, acme } = scene
      const before = await app.database.query<{ id: number }>(
        'select id from entitlements where organization_id = $1',
        [acme.id],
      )
      const removable = 'select max(id) as id from entitlements where organization_id = $1 and product_name = $2'
      const between = async () => {
        await app.database.query(
          `insert into entitlements (organization_id, code, class, product_name, company, created_at)
           select $1, 'PLG-202611' || lpad(nextval('entitlements_id_seq')::text, 6, '0'), 'PLG', 'Comes and goes', 'entity_br',
                  now() - random() * interval '2 days' from generate_series(1, 3)`,
          [acme.id],
        )
        const [gone] = await app.database.query<{ id: number }>(removable, [acme.id, 'Comes and goes'])
        await app.database.query('delete from entitlements where organization_id = $1 and id = $2', [acme.id, gone?.id])
      }
      const seen = (await followed(path, { sort, per_page: '4' }, between)) as { id: number }[]
      const ids = seen.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(before.filter(({ id }) => !ids.includes(id))).toEqual([])
    },
  )
})
