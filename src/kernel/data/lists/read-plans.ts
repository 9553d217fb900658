// How reads declare one row, or an answer from several statements; page.ts has the lists.
import type { CallerContext } from '#kernel/data/route-contexts.ts'
import { type Statement, raw, sql } from '#kernel/values/sql.ts'
import type { Page } from '#kernel/values/schema.ts'

export type ReadPlan<Data> =
  | {
      kind: 'page'
      rows: Statement
      total: Statement<{ total: number }>
      page: Page
      parent?: Statement
      /** The organization until whose next change the total holds (kept-totals.ts). */
      keptFor?: number
      /** The rows are one more than asked for if there are more; `cursor_key` and `cursor_id` are the place of each. */
      cursor?: true
      /** The rows have `cursor_id` and perhaps `cursor_key`, which are no part of the answer. */
      isPlaced?: true
      /** For a page beyond the first ones, which needs the total to find the nearer end: its rows by a kept total. */
      rowsBy?: (total: Statement) => Statement
      /** Makes the record of the answer from a row, where that depends on the caller's language. */
      each?: (row: never, callerContext: CallerContext) => unknown
    }
  | { kind: 'row'; row: Statement<Data> }
  /** A list that needs no statement; a function where it depends on the caller. */
  | { kind: 'list'; items: readonly unknown[] | ((callerContext: CallerContext) => readonly unknown[]); page: Page }
  | { kind: 'parts'; statements: Statement[]; shape: (parts: unknown[][], callerContext: CallerContext) => Data }

/** Selects the record that a linked list belongs to. */
export const parentIn = (tableName: string, organizationId: number, id: number): Statement =>
  sql`select id from ${raw(tableName)} where organization_id = ${organizationId} and id = ${id}`

/** One row, or 404. */
export const row = <Data>(statement: Statement<Data>): ReadPlan<Data> => ({ kind: 'row', row: statement })

/** The rows of each statement, typed. */
type RowsOf<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Statement<infer Row> ? Row[] : never
}

/** One answer from several statements. */
export const parts = <const Statements extends readonly Statement[], Data>(
  statements: Statements,
  shape: (parts: RowsOf<Statements>, callerContext: CallerContext) => Data,
): ReadPlan<Data> => ({ kind: 'parts', statements: [...statements], shape: shape as never })

/** One answer from two that `parts` declares, in one round trip. */
export function both<One, Other, Data>(
  one: ReadPlan<One>,
  other: ReadPlan<Other>,
  shape: (one: One, other: Other) => Data,
): ReadPlan<Data> {
  if (one.kind !== 'parts' || other.kind !== 'parts') throw new Error('both are made of parts')
  const count = one.statements.length
  return {
    kind: 'parts',
    statements: [...one.statements, ...other.statements],
    shape: (found, caller) => shape(one.shape(found.slice(0, count), caller), other.shape(found.slice(count), caller)),
  }
}
