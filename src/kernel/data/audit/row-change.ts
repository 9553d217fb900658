// A change of a row, and the columns of a table that changes write and give.
import { type Statement, nothing, raw, sql } from '#kernel/values/sql.ts'
import type { EventType, Table } from '#kernel/data/table.ts'

export type Values<Row> = { [Column in keyof Row]?: Row[Column] | undefined }

export type RowChange<Row> = {
  table: Table<Row>
  id: number
  values: Values<Row>
  event: EventType
  /** The states in which the change is allowed. */
  guard?: { column: string; from: readonly string[] }
}

/** The row as it is now; with `was_there` false it is as it was, since its state did not allow the change. */
export type ChangedRow<Row> = Row & { was_status: string; was_there: boolean }

export const allowedBy = (guard: RowChange<unknown>['guard']): Statement =>
  guard ? sql`and t.${raw(guard.column)} = any(${guard.from}::text[])` : nothing

/** Trusted names as a list of literals. */
export const listed = (names: readonly string[]) => raw(names.map((name) => `'${name}'`).join(', '))

/** The columns whose default is the database's time; a test compares them. */
export const TIMES = ['created_at', 'updated_at', 'status_since']

export const settableOf = <Row>({ changeable, columns }: Table<Row>): readonly string[] =>
  changeable ?? columns.filter((column) => !NEVER_SET.includes(column))

const NEVER_SET = ['id', 'organization_id', 'created_at', 'updated_at']

/** By name, never `*`: a column that a migration adds must not change the result of a prepared statement. */
export const columnsOf = <Row>({ visible: columns }: Table<Row>, alias: string) =>
  raw(columns.map((column) => `${alias}.${column}`).join(', '))
