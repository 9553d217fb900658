// The order of a list, and the place of a row in it, behind which a cursor goes on.
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import { positionOf, type Position } from './cursor.ts'
import type { SortKey } from './listing.ts'
import { nothing, raw, sql, type Statement } from '#kernel/values/sql.ts'

/** By `id` where there is no key. */
export type Order = { id: string; key: SortKey | null; isDescending: boolean }

/** `order by` in the direction of the list, or in the other one. */
export function orderBy({ id, key, isDescending }: Order, isReversed = false): ReturnType<typeof raw> {
  const direction = isDescending === isReversed ? 'asc' : 'desc'
  const by = key === null ? [id] : [key.column, id]
  return raw(`order by ${by.map((one) => `${one} ${direction}`).join(', ')}`)
}

/** The order of rows that have the columns of `placeOf`. */
export const orderByPlace = ({ key, isDescending }: Order): ReturnType<typeof raw> =>
  orderBy({ id: 'cursor_id', key: key && { column: `cursor_key::${key.type}`, type: key.type }, isDescending })

/** The sort key as a text that is ordered like it: a time in an answer lacks its microseconds. */
export function placeOf({ id, key }: Order): Statement {
  if (key === null) return sql`${raw(id)} as cursor_id`
  const text = key.type === 'timestamptz' ? TIME_TEXT.replace('?', key.column) : `${key.column}::text`
  return sql`${raw(id)} as cursor_id, ${raw(text)} as cursor_key`
}
const TIME_TEXT = `to_char(? at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

type CursorQuery = { cursor: string; per_page?: number | undefined }

/** The rows behind the cursor's place, and one more if there is one. */
export function rowsAfter(
  { cursor, per_page = DEFAULT_PER_PAGE }: CursorQuery,
  order: Order,
  list: Record<'columns' | 'from', Statement>,
) {
  const position = positionOf(cursor)
  const after = position === null ? nothing : sql`and ${behind(position, order)}`
  return sql`select ${list.columns}, ${placeOf(order)} ${list.from} ${after} ${orderBy(order)} limit ${per_page + 1}`
}

function behind(position: Position, { id, key, isDescending }: Order): Statement {
  const beyond = isDescending ? '<' : '>'
  if (key === null) return sql`${raw(`${id} ${beyond}`)} ${position.id}`
  const { column, type, isNullable } = key
  if (position.key === null) {
    const beside = sql`${raw(`${column} is null and ${id} ${beyond}`)} ${position.id}`
    return isDescending ? sql`(${beside} or ${raw(column)} is not null)` : beside
  }
  const later = sql`${raw(`(${column}, ${id}) ${beyond}`)} (${position.key}::${raw(type)}, ${position.id}::bigint)`
  return isNullable && !isDescending ? sql`(${later} or ${raw(column)} is null)` : later
}
