// The changes of changes.ts on a cluster: the row is written by statements that one node can plan and run as they are, and
// its trail by another one in the same transaction, which travels with what comes next (docs/decisions/0123).
import { type OrganizationContext, hasTestClock } from './context.ts'
import { type ChangedRow, type RowChange, allowedBy, columnsOf, settableOf } from './row-change.ts'
import { added, altered, imageOf, removed } from './row-image.ts'
import { type Statement, join, nothing, prepare, raw, sql } from './sql.ts'
import type { Table } from './table.ts'
import { auditedOnCluster } from './trail.ts'
import { storableJson } from '#kernel/values/text.ts'

/** With its image as text, so that the numbers in it are sent back as they came. */
type Imaged<Row> = Row & { image_of_row: string; was_status: string }

export async function insertOnCluster<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  record: Record<string, unknown>,
): Promise<Row[]> {
  const columns = Object.keys(record)
  const values = columns.map((column) =>
    column === 'organization_id' ? sql`${ctx.organizationId}` : valueOf(table, record, column),
  )
  const [inserted] = await ctx.ask<{ id: number }>(sql`
    insert into ${raw(table.name)} (${raw(columns.join(', '))}) values (${join(values, ', ')}) returning id`)
  if (inserted === undefined) return []
  const [row] = await imaged(ctx, table, inserted.id)
  if (row === undefined) return []
  const image = sql`select ${row.image_of_row}::jsonb as now offset 0`
  ctx.write(auditedOnCluster(ctx, table, table.events.created, added(table, image)))
  return [row]
}

/** In one statement, for who does not wait for the row: the coordinator adds it and reads its image. */
export function additionOnCluster<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  record: Record<string, unknown>,
): Statement {
  const columns = Object.keys(record)
  const values = columns.map((column) =>
    column === 'organization_id' ? '$1' : `(jsonb_populate_record(null::${table.name}, $2)).${column}`,
  )
  const insertion = `insert into ${table.name} (${columns.join(', ')}) values (${values.join(', ')}) returning id`
  const reading = prepare(sql`select ${imageOf(table, 't')} from ${raw(table.name)} t`).text
  const image = sql`
    select titular_distribution.add_row(${ctx.organizationId}, ${storableJson(record)}::jsonb, ${insertion}::text,
      ${`${reading} where t.organization_id = $1 and t.id = $2`}::text) as now offset 0`
  return auditedOnCluster(ctx, table, table.events.created, added(table, image))
}

export async function writeOnCluster<Row>(
  ctx: OrganizationContext,
  { table, id, values, event, guard }: RowChange<Row>,
): Promise<ChangedRow<Row>[]> {
  const given = values as Record<string, unknown>
  const columns = settableOf(table).filter((column) => given[column] !== undefined)
  const time = hasTestClock(ctx) ? sql`${ctx.now}::timestamptz` : sql`now()`
  const settings = columns.map((column) => sql`${raw(column)} = ${valueOf(table, given, column)}`)
  const [[before], written, [after]] = await Promise.all([
    imaged(ctx, table, id, { locks: true, status: guard?.column }),
    ctx.ask(sql`
      update ${raw(table.name)} t set ${join([sql`updated_at = ${time}`, ...settings], ', ')}
       where t.organization_id = ${ctx.organizationId} and t.id = ${id} ${allowedBy(guard)} returning t.id`),
    imaged(ctx, table, id),
  ])
  if (before === undefined || after === undefined) return []
  if (written.length === 0) return [{ ...before, was_there: false }]
  const images = sql`select ${before.image_of_row}::jsonb as was, ${after.image_of_row}::jsonb as now offset 0`
  ctx.write(auditedOnCluster(ctx, table, event, altered(table, images), Object.keys(values)))
  return [{ ...after, was_status: before.was_status, was_there: true }]
}

export async function removeOnCluster<Row>(ctx: OrganizationContext, table: Table<Row>, id: number): Promise<Row[]> {
  const [[row]] = await Promise.all([
    imaged(ctx, table, id, { locks: true }),
    ctx.ask(sql`delete from ${raw(table.name)} t where t.organization_id = ${ctx.organizationId} and t.id = ${id}`),
  ])
  if (row === undefined) return []
  const image = sql`select ${row.image_of_row}::jsonb as was offset 0`
  ctx.write(auditedOnCluster(ctx, table, table.events.deleted, removed(table, image)))
  return [row]
}

/** The row with its image, which RETURNING cannot give: Citus takes immutable functions only there. */
const imaged = <Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  id: number,
  { locks = false, status }: { locks?: boolean; status?: string | undefined } = {},
): Promise<Imaged<Row>[]> =>
  ctx.ask(sql`
    select ${columnsOf(table, 't')}, ${status === undefined ? nothing : sql`t.${raw(status)} as was_status,`}
           (${imageOf(table, 't')})::text as image_of_row
      from ${raw(table.name)} t where t.organization_id = ${ctx.organizationId} and t.id = ${id} ${locks ? sql`for update` : nothing}`)

/** A constant of the column's type, made from JSON as on one server. */
const valueOf = <Row>({ name }: Table<Row>, record: Record<string, unknown>, column: string): Statement =>
  sql`(jsonb_populate_record(null::${raw(name)}, ${storableJson({ [column]: record[column] })}::jsonb)).${raw(column)}`
