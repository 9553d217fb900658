// A page of a list and its total, as the statements that a read declares.
import type { ReadPlan } from './read-plans.ts'
import { DEFAULT_PER_PAGE, type Page } from '#kernel/values/schema.ts'
import { aliasOf, isAsked, type Listing, rangesOf, type SortKey, sortOf } from './listing.ts'
import { type Order, orderBy, orderByPlace, placeOf, rowsAfter } from './page-order.ts'
import { raw, type Statement, sql } from '#kernel/values/sql.ts'

export type PageRequest = {
  columns: Statement
  /** `from … where …`, naming `organization_id` first; further conditions are put behind it. */
  from: Statement
  /**
   * Further columns, of the rows of the page alone, which are called `found`: what is in another table. A cluster joins
   * no table of the coordinator with the records of all organizations, and a server need not do it for more than the
   * page.
   */
  foundColumns?: Statement
  /** Newest first unless the records are a history. */
  oldestFirst?: boolean
  /** The column to order by; with the alias of its table when the statement joins. */
  id?: string
  /** A selected column to order by before `id`, in the same direction. */
  sortedBy?: SortKey
  /** The sorting and the ranges that the list's query declares. */
  listing?: Listing
  /** Gives a row when the record that the list belongs to exists; without one the answer is 404. */
  parent?: Statement
  /**
   * The organization, when its changes alone decide the total: all tables that are named are written by changes.ts
   * only, and what the caller sees depends on nothing but whether they are staff. A long list is then counted once per
   * change.
   */
  keptFor?: number
}

/** Where columns cost much, a list reads the keys by `page` and replaces `rows` by a statement around them. */
export type PagePlan = Extract<ReadPlan<never>, { kind: 'page' }>

const FAR = 1000

/**
 * The usual first page says its limit in the text: with parameters PostgreSQL expects a tenth of the table and plans
 * each execution anew, which takes 70 of 180 µs.
 */
const cut = (size: number, offset: number): Statement =>
  size === DEFAULT_PER_PAGE && offset === 0 ? FIRST : sql`limit ${size} offset ${offset}`
const FIRST = sql`${raw(`limit ${DEFAULT_PER_PAGE}`)}`

/**
 * A page and the total. From row 1000 on, a page is read from the nearer end of the list, so that the last page costs
 * no more than the first.
 */
export function page(query: Page, request: PageRequest): PagePlan {
  const { page: number = 1, per_page: size = DEFAULT_PER_PAGE, cursor } = query
  const { columns, foundColumns, parent, keptFor } = request
  const { from, order } = listed(query, request)
  const around = (rows: Statement): Statement =>
    foundColumns ? sql`select found.*, ${foundColumns} from (${rows}) found ${orderByPlace(order)}` : rows
  const common = { kind: 'page', page: query, ...(parent && { parent }) } as const
  const total = sql<{ total: number }>`select count(*) as total ${from}`
  if (cursor !== undefined) {
    const rows = around(rowsAfter({ cursor, per_page: size }, order, { columns, from }))
    return { ...common, cursor: true, total: query.count ? total : NOT_COUNTED, rows }
  }
  const kept = { ...common, total, ...(keptFor !== undefined && { keptFor }) }
  const offset = (number - 1) * size
  const placed = sql`select ${columns}, ${placeOf(order)} ${from}`
  if (offset < FAR) {
    if (!foundColumns) return { ...kept, rows: sql`select ${columns} ${from} ${orderBy(order)} ${cut(size, offset)}` }
    return { ...kept, rows: around(sql`${placed} ${orderBy(order)} ${cut(size, offset)}`), isPlaced: true }
  }
  const ends = (counted: Statement) => farPage({ placed, order, size, offset, counted })
  const rowsBy = (counted: Statement) =>
    foundColumns ? around(ends(counted)) : sql`${ends(counted)} ${orderByPlace(order)}`
  return { ...kept, rows: rowsBy(total), isPlaced: true, ...(keptFor !== undefined && { rowsBy }) }
}

type FarPage = { placed: Statement; order: Order; size: number; offset: number; counted: Statement }

/**
 * Reads from the end of the list that is closer to the page; the statement for the other end gives no rows. A cluster
 * that asks several nodes allows no subquery as a limit, so the rows from the far end are limited outside of that part.
 */
const farPage = ({ placed, order, size, offset, counted }: FarPage): Statement => sql`
  with counted as materialized (select total as n from (${counted}) c),
  near_end as (${placed} and (select ${offset}::bigint * 2 <= n from counted) ${orderBy(order)}
    limit ${size} offset ${offset}),
  far_end as (
    select * from (${placed} and (select ${offset}::bigint * 2 > n
      from counted) ${orderBy(order, true)} offset 0) backwards
     limit (select least(${size}::bigint, greatest(n - ${offset}::bigint, 0)) from counted)
    offset (select greatest(n - ${offset}::bigint - ${size}::bigint, 0) from counted))
  select * from (select * from near_end union all select * from far_end) found`

const NOT_COUNTED = sql<{ total: number }>`select null::bigint as total`

/** The list with its ranges, in the order that is asked for. */
function listed(query: Page, request: PageRequest): { from: Statement; order: Order } {
  const { id = 'id', oldestFirst = false, sortedBy, parent, listing } = request
  const own: Order = { id, key: sortedBy ?? null, isDescending: !oldestFirst }
  if (!listing || !isAsked(query)) return { from: request.from, order: own }
  const asked = { listing, alias: aliasOf(id), isOfRecord: parent !== undefined }
  const sort = sortOf(query, asked)
  return { from: sql`${request.from} ${rangesOf(query, asked)}`, order: sort ? { id, ...sort } : own }
}
