// The sorting and the ranges of every list that declares them (kernel/data/lists/listing.ts): against the values of its records.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '#test/harness/seeds.ts'
import type { Route } from '#http/route.ts'
import { allowAnyValues, allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { type Filter, filtersOf, isRange } from './list-filters.ts'
import { lists as allLists, listScene, type ListScene, parametersOf, tableOf } from './lists.ts'

type Item = Record<string, string | number | null>

const sortsOf = (route: Route): string[] => filtersOf(route).find(({ name }) => name === 'sort')?.enum ?? []
const lists = allLists.filter((route) => sortsOf(route).length > 0)

/** Where the fields of an order have other names than its columns. */
const COLUMNS = [
  'created_at',
  'updated_at',
  'due_date',
  'valid_until',
  'issue_date',
  'payment_date',
  'end_date',
  'expires_at',
  'issued_at',
  'total',
  'amount',
]

let scene: ListScene
beforeAll(async () => {
  scene = await listScene()
  const { database } = scene.app
  await allowCopies(database)
  await allowAnyValues(database)
  for (const table of new Set(lists.map((route) => tableOf(scene, route) ?? ''))) {
    const [row] = await database.query<{ id: number }>(`select max(id) as id from ${table}`)
    const columns = await database.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    const varied = columns.filter(({ name }) => COLUMNS.includes(name))
    const changes = varied.map(({ name, type }) => [name, VARIED[type]?.(`t.${name}`) ?? `t.${name}`])
    await copyRow(database, { table, id: row?.id ?? 0, count: 30 }, Object.fromEntries(changes))
  }
})
afterAll(() => scene.app.close())

/** Not in the order of the ids, some alike, some within one millisecond, and some without a value. */
const VARIED: Record<string, (column: string) => string> = {
  'timestamp with time zone': () =>
    `timestamptz '2026-03-01T12:00:00.000Z' + (n * 7 % 10) * interval '1 day' + (n % 3) * interval '300 microseconds'`,
  date: () => `date '2026-03-01' + n * 7 % 10`,
  numeric: (column) => `${column} + n * 7 % 10`,
}

async function all(route: Route, query: Record<string, string>): Promise<Item[]> {
  const path = Object.entries(parametersOf(scene, route)).reduce(
    (made, [name, value]) => made.replace(`{${name}}`, String(value)),
    route.path,
  )
  const parameters = new URLSearchParams({ ...query, per_page: '100' })
  const speaker = scene.acme[path.startsWith('/admin') ? 'staff' : 'owner']
  const { status, data, errors } = await speaker.get(`${path}?${parameters.toString()}`)
  expect([status, errors]).toEqual([200, null])
  return data as Item[]
}

const fieldOf = ({ name }: Filter): string => name.replace(/\[.*$/, '')
const isOf = (operator: string, value: string | number, bound: string | number): boolean =>
  ({ gte: value >= bound, gt: value > bound, lte: value <= bound, lt: value < bound })[operator] ?? false

/** Dates and times as they are, amounts as numbers; no time is later than any. */
const comparable = (value: string | number | null | undefined): string | number =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : (value ?? 'never')

/** What `updated_since` looks at. */
const UPDATED = ['updated_at', 'date_modified', 'synced_at', 'received_at', 'at']

describe.each(lists.map((route) => [route.path, route] as const))('%s', (_, route) => {
  it.each(sortsOf(route))('sorts by %s', async (sort) => {
    const name = sort.replace('-', '')
    const items = await all(route, { sort })
    for (const item of items) expect(item).toHaveProperty(name)
    const sign = sort.startsWith('-') ? -1 : 1
    const compared = (one: Item, other: Item): number =>
      comparable(one[name]) < comparable(other[name])
        ? -sign
        : comparable(one[name]) > comparable(other[name])
          ? sign
          : 0
    expect(items.map((item) => item[name])).toEqual(items.toSorted(compared).map((item) => item[name]))
  })

  it('finds what lies in each range, and nothing else', async () => {
    const whole = await all(route, {})
    for (const filter of filtersOf(route).filter((one) => isRange(one) && one.name !== 'updated_since')) {
      const name = fieldOf(filter)
      const operator = /\[(\w+)\]/.exec(filter.name)?.[1] ?? ''
      for (const item of whole) expect(item).toHaveProperty(name)
      const values = whole.map((item) => item[name]).filter((value) => value !== null && value !== undefined)
      for (const bound of some([values[Math.floor(values.length / 2)], values[0], values.at(-1)], 1)) {
        if (bound === undefined) continue
        const found = (await all(route, { [filter.name]: String(bound) })).map(({ id }) => id)
        const expected = whole.filter(
          (item) => item[name] !== null && isOf(operator, comparable(item[name]), comparable(bound)),
        )
        expect(found, `${filter.name}=${bound}`).toHaveLength(expected.length)
        expect(new Set(found), `${filter.name}=${bound}`).toEqual(new Set(expected.map(({ id }) => id)))
      }
    }
  })

  it('gives what has changed since, the earliest first', async () => {
    const updated = UPDATED.find((name) => sortsOf(route).includes(name)) ?? ''
    const whole = await all(route, { sort: updated })
    const since = String(whole[Math.floor(whole.length / 2)]?.[updated])
    const found = await all(route, { updated_since: since })
    expect(found).toEqual(whole.filter((item) => String(item[updated]) >= since))
  })
})

const ask = (query: string) => scene.acme.owner.get(`/quotes?${query}`)
const searched = (query: string) => scene.acme.owner.get(`/entitlements?search=ENV&${query}`)

describe('a range', () => {
  it.each(['created_at[gte]=yesterday', 'valid_until[lt]=2026-02-30', 'total[gt]=much', 'sort=number', 'notes[gte]=a'])(
    '422 for %s',
    async (query) => {
      const { status, errors } = await ask(query)
      expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, [query.replace(/=.*$/, '')]])
    },
  )

  it.each([
    'created_at[gt]=9999-12-31T23:59:59.999Z',
    'created_at[lte]=9999-12-31T23:59:59.999Z',
    'created_at[gte]=0001-01-01T00:00:00.000Z',
    'valid_until[gt]=9999-12-31',
    'valid_until[lte]=9999-12-31',
    'valid_until[gte]=0001-01-01',
    'total[gte]=-999999999999999.9999',
    'total[lte]=999999999999999.9999',
  ])('200 at the end of all times and amounts: %s', async (query) => expect((await ask(query)).status).toBe(200))

  it('takes the narrowest of several bounds', async () => {
    const query =
      'valid_until[gte]=2026-03-01&valid_until[gt]=2026-03-03&valid_until[lt]=2026-03-07&valid_until[lte]=2026-03-05'
    const days = new Set<string>((await ask(query)).data.map((one: { valid_until: string }) => one.valid_until))
    expect([...days].toSorted()).toEqual(['2026-03-04', '2026-03-05'])
  })

  it('422 names sort beside search', async () => {
    const { errors } = await scene.acme.owner.get('/entitlements?search=backup&sort=id')
    expect(errors?.fields).toHaveProperty('sort')
  })

  it('narrows a search', async () => {
    const whole = (await searched('per_page=100')).data as Item[]
    const found = (await searched('per_page=100&created_at[gte]=2026-03-05T00:00:00.000Z')).data as Item[]
    expect(found.map(({ id }) => id)).toEqual(
      whole.filter((one) => String(one['created_at']) >= '2026-03-05').map(({ id }) => id),
    )
  })
})
