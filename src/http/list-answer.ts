// The answer of a list: a page by its number with the total, or the records behind a cursor.
import { type AskedList, cursorAt, isCursorOf, type Position } from '#kernel/data/lists/cursor.ts'
import type { PagePlan } from '#kernel/data/lists/page.ts'
import type { SecretKey } from '#kernel/keys/secrets.ts'
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import { type PageMeta, pageMeta } from './envelope.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { ReadPlan } from '#kernel/data/lists/read-plans.ts'
import type { CallerContext } from '#kernel/data/route-contexts.ts'

/** A part of a list that needs no statement. */
export function partOf({ items, page: asked }: Extract<ReadPlan<unknown>, { kind: 'list' }>, caller: CallerContext) {
  const all = typeof items === 'function' ? items(caller) : items
  const { page = 1, per_page = DEFAULT_PER_PAGE } = asked
  return { rows: all.slice((page - 1) * per_page, page * per_page), meta: pageMeta(asked, all.length) }
}

type CursorRow = { cursor_id: number; cursor_key?: string | null }
type ListResult = { rows: unknown[]; total: number | null }

export function listAnswer(
  plan: Pick<PagePlan, 'page' | 'cursor' | 'isPlaced'>,
  { rows, total }: ListResult,
  { secretKey, asked }: { secretKey: SecretKey; asked: AskedList },
): { rows: unknown[]; meta: PageMeta } {
  const { page, cursor, isPlaced } = plan
  if (!cursor) return { rows: isPlaced ? rows.map(withoutPlace) : rows, meta: pageMeta(page, total ?? 0) }
  const { per_page = DEFAULT_PER_PAGE } = page
  const shown = rows.slice(0, per_page)
  const last = rows.length > per_page ? placeOf(shown.at(-1)) : null
  const meta = {
    page: null,
    per_page,
    total,
    pages: total === null ? null : Math.ceil(total / per_page),
    next_cursor: last === null ? null : cursorAt(secretKey, asked, last),
  }
  return { rows: shown.map(withoutPlace), meta }
}

function placeOf(row: unknown): Position {
  const { cursor_id, cursor_key = null } = row as CursorRow
  return { id: cursor_id, key: cursor_key }
}

function withoutPlace(row: unknown): unknown {
  const { cursor_id: _id, cursor_key: _key, ...rest } = row as CursorRow
  return rest
}

/** What of the parameters of a list cannot be met together. */
export function listProblems(secretKey: SecretKey, asked: AskedList): Fields | null {
  const { cursor, page, count, search, sort } = asked.query as Record<string, unknown>
  if (cursor === undefined && count === undefined && sort === undefined) return null
  const isSearched = typeof search === 'string' && search.trim() !== ''
  const problems = {
    ...(isSearched && sort !== undefined && { sort: 'cannot be combined with search, which gives the newest first' }),
    ...(count !== undefined && cursor === undefined && { count: 'is for lists with a cursor; pages have their total' }),
    ...(cursor !== undefined && page !== undefined && { page: 'cannot be combined with cursor' }),
    ...(typeof cursor === 'string' && !isCursorOf(secretKey, asked, cursor) && { cursor: NOT_OF_THIS_LIST }),
    ...(cursor !== undefined && isSearched && { cursor: 'cannot be combined with search' }),
  }
  return Object.keys(problems).length > 0 ? problems : null
}

const NOT_OF_THIS_LIST = 'is no cursor of this list with these filters and this order'
