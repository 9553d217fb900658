// How reads declare one row, or an answer from several statements; page.ts has the lists.
import type { CallerContext, ReadPlan } from './route.ts'
import { type Statement, raw, sql } from '#kernel/data/sql.ts'

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
