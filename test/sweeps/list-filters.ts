// The filters of every list, and rows for which only an index helps: whatever a filter can ask for besides the usual is
// rare and old, so that reading from the newest row on would pass all others.
import type { TSchema } from 'typebox'
import type { Route } from '#http/route.ts'
import { prepare } from '#kernel/values/sql.ts'
import { lists, type ListScene, parametersOf, planOf, tableOf } from './lists.ts'

export type Filter = { name: string; enum?: string[]; type?: string; format?: string; takesSeveral: boolean }
export type Query = Record<string, unknown>

const propertiesOf = (schema: { properties?: Record<string, TSchema> } = {}): Record<string, TSchema> =>
  schema.properties ?? {}

/** Filters on text have tests of their own (test/sweeps, search). */
export const filtersOf = ({ query }: Route): Filter[] =>
  Object.entries(propertiesOf(query))
    .filter(([name]) => !['page', 'per_page', 'cursor', 'count', 'search', 'fields', 'expand'].includes(name))
    .map(([name, schema]) => {
      const takesSeveral = 'items' in schema
      return { ...(takesSeveral ? (schema.items as TSchema) : schema), name, takesSeveral }
    })

/** A range of `kernel/data/lists/listing.ts`, which has an index, unless it is of an amount. */
export const isRange = ({ name }: Filter): boolean => name.endsWith(']') || name === 'updated_since'

export const isDate = ({ format }: Filter): boolean => format?.startsWith('date') === true

/** Filters that are no column: what is rare, in the columns that they look at. */
const COMPUTED: Record<string, Record<string, string>> = {
  organizations: { deleted_at: 'now()' },
  users: { disabled_at: 'now()' },
  commerce_orders: { problem: `'refused'` },
  crm_deals: { crm_stage: `'other'` },
  sites: { verification_status: `'verified'` },
  orders: { subscription_status: `'requested'` },
}

/** How the copies of a record differ; the older ones are the first. */
export async function skewOf(scene: ListScene, table: string, count: number): Promise<Record<string, string>> {
  const columns = await columnsOf(scene, table)
  const rare = (few: string, many: string) => `case when n <= ${count} / 100 then ${few} else ${many} end`
  const skew: Record<string, string> = {}
  for (const route of lists.filter((one) => tableOf(scene, one) === table)) {
    const parent = parentColumn(scene, route)
    const other = columns[parent ?? ''] === 'text' ? `|| n` : '+ n'
    if (parent !== undefined)
      skew[parent] = `case when n <= ${count} / 5 then t.${parent} else t.${parent} ${other} end`
    for (const filter of filtersOf(route)) {
      const type = columns[filter.name]
      const own = `t.${filter.name}`
      if (type === undefined || filter.name === 'organization_id' || filter.name in skew) continue
      const others = `array_remove(array['${(filter.enum ?? []).join("','")}'], ${own}::text)`
      if (filter.enum) skew[filter.name] = rare(`(${others})[1 + n % ${filter.enum.length - 1}]`, own)
      else if (type === 'bigint') skew[filter.name] = rare(`coalesce(${own}, 1)`, `coalesce(${own}, 1) + n`)
      else if (type === 'text') skew[filter.name] = rare(own, `${own} || 'x'`)
    }
  }
  for (const [name, few] of Object.entries(COMPUTED[table] ?? {})) skew[name] = rare(few, `t.${name}`)
  for (const [name, type] of Object.entries(columns))
    if (type === 'date') skew[name] = `t.${name} - (${count} - n) / 30`
  return skew
}

const PAST: Record<string, unknown[]> = { date: ['2020-01-01'], 'date-time': ['2020-01-01T00:00:00.000Z'] }

/** Each value of each filter by itself. */
export async function queriesOf(scene: ListScene, route: Route): Promise<{ filter: Filter | null; query: Query }[]> {
  const table = tableOf(scene, route) ?? ''
  const columns = await columnsOf(scene, table)
  const oldest = async (name: string): Promise<unknown> => {
    if (!(name in columns)) return 1
    const text = `select ${name} as value from ${table} where ${name} is not null order by id limit 1`
    return (await scene.app.database.query<{ value: unknown }>(text))[0]?.value ?? 1
  }
  const queries: { filter: Filter | null; query: Query }[] = [{ filter: null, query: {} }]
  for (const filter of filtersOf(route)) {
    const { name, enum: values, type, takesSeveral } = filter
    const asked =
      values ??
      (type === 'boolean'
        ? [true, false]
        : (PAST[filter.format ?? ''] ?? [isRange(filter) ? '1.00' : await oldest(name)]))
    queries.push(...asked.map((value) => ({ filter, query: { [name]: takesSeveral ? [value] : value } })))
  }
  return queries
}

/** Each two filters together, with one value each; and two values of those that take several. */
export async function pairsOf(scene: ListScene, route: Route): Promise<Query[]> {
  const byName = new Map((await queriesOf(scene, route)).map(({ filter, query }) => [filter?.name, query]))
  byName.delete(undefined)
  const singles = [...byName.values()]
  const pairs = singles.flatMap((one, index) => singles.slice(index + 1).map((other) => ({ ...one, ...other })))
  const several = filtersOf(route).filter(({ takesSeveral }) => takesSeveral)
  return [...pairs, ...several.map(({ name, enum: values = [] }) => ({ [name]: values.slice(0, 2) }))]
}

/** The column that binds a linked list to its record. */
function parentColumn(scene: ListScene, route: Route): string | undefined {
  const ids: unknown[] = Object.values(parametersOf(scene, route))
  const { text, values } = prepare(planOf(scene, route, {}).total)
  const equal = [...text.matchAll(/(\w+) = \$(\d+)/g)].map(([, column = '', place]) => ({ column, place }))
  const isParent = ({ column, place }: { column: string; place: string | undefined }) =>
    !['id', 'organization_id'].includes(column) && ids.includes(values[Number(place) - 1])
  return equal.find(isParent)?.column
}

async function columnsOf({ app }: ListScene, table: string): Promise<Record<string, string>> {
  const rows = await app.database.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}
