// A page of a list and its total, as the statements that a read declares.
import type { ReadPlan } from '#kernel/http/route.ts'
import { DEFAULT_PER_PAGE, type Page } from '#kernel/values/schema.ts'
import { raw, type Statement, sql } from './sql.ts'

export type PageRequest = {
  columns: Statement
  /** `from … where …`, naming `organization_id` first. */
  from: Statement
  /** Newest first unless the records are a history. */
  oldestFirst?: boolean
  /** The column to order by; with the alias of its table when the statement joins. */
  id?: string
  /** A selected column to order by before `id`, in the same direction; what has none comes last in the list. */
  sortedBy?: string
  /** Gives a row when the record that the list belongs to exists; without one the answer is 404. */
  parent?: Statement
  /**
   * The organization, when its changes alone decide the total: all tables that are named are written by changes.ts only,
   * and what the caller sees depends on nothing but whether they are staff. A long list is then counted once per change.
   */
  keptFor?: number
}

/** Where columns cost much, a list reads the keys by `page` and replaces `rows` by a statement around them. */
export type PagePlan = Extract<ReadPlan<never>, { kind: 'page' }>

const FAR = 1000

/**
 * The usual first page says its limit in the text: with parameters PostgreSQL expects a tenth of the table and plans each
 * execution anew, which takes 70 of 180 µs.
 */
const cut = (size: number, offset: number): Statement =>
  size === DEFAULT_PER_PAGE && offset === 0 ? FIRST : sql`limit ${size} offset ${offset}`
const FIRST = sql`${raw(`limit ${DEFAULT_PER_PAGE}`)}`

/**
 * A page and the total. From row 1000 on, a page is read from the nearer end of the list, so that the last page costs
 * no more than the first.
 */
export function page(query: Page, request: PageRequest): PagePlan {
  const { page: number = 1, per_page: size = DEFAULT_PER_PAGE } = query
  const { columns, from, oldestFirst = false, id = 'id', sortedBy, parent, keptFor } = request
  const common = {
    kind: 'page',
    page: query,
    ...(parent && { parent }),
    ...(keptFor !== undefined && { keptFor }),
  } as const
  const offset = (number - 1) * size
  const [near, far] = oldestFirst ? ['asc', 'desc'] : ['desc', 'asc']
  const keys = sortedBy === undefined ? [id] : [sortedBy, id]
  const order = (direction: string | undefined, by = keys) =>
    raw(`order by ${by.map((key) => `${key} ${direction}`).join(', ')}`)
  const total = sql<{ total: number }>`select count(*) as total ${from}`
  if (offset < FAR)
    return { ...common, total, rows: sql`select ${columns} ${from} ${order(near)} ${cut(size, offset)}` }
  const rowsBy = (counted: Statement) => sql`
    with counted as materialized (select total as n from (${counted}) c),
    near_end as (select ${columns} ${from} ${order(near)}
      limit (select case when ${offset}::bigint * 2 <= n then ${size}::bigint else 0 end from counted) offset ${offset}),
    far_end as (select ${columns} ${from} ${order(far)}
      limit (select case when ${offset}::bigint * 2 > n then least(${size}::bigint, greatest(n - ${offset}::bigint, 0)) else 0 end from counted)
      offset (select greatest(n - ${offset}::bigint - ${size}::bigint, 0) from counted))
    select * from (select * from near_end union all select * from far_end) found ${order(
      near,
      keys.map((key) => key.replace(/^.*\./, '')),
    )}`
  return { ...common, total, rows: rowsBy(total), ...(keptFor !== undefined && { rowsBy }) }
}
