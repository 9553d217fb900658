// The only ways to write a tenant row. With the row come its audit entry, its event and the jobs of the event's
// consumers (tenant-store.ts, docs/architecture.md).
import type { OrganizationContext } from './context.ts'
import { assertMayCause } from './acts.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { assertExternalIdIsFree, givesExternalId, throwAsTwin } from './external-ids.ts'
import type { Move } from './moves.ts'
import { type ChangedRow, type RowChange, type Values, TIMES } from '#kernel/data/audit/row-change.ts'
import type { EventType, Table } from './table.ts'

/** Adds a row; `organization_id` comes from the context. Returns it as stored. */
export async function insert<Row>(ctx: OrganizationContext, table: Table<Row>, values: Values<Row>): Promise<Row> {
  if (givesExternalId(values)) await assertExternalIdIsFree(ctx, { table, values })
  const record = recordOf(ctx, table, values)
  const [row] = await ctx.store.insert(ctx, table, record).catch((error: unknown) => throwAsTwin(table, error))
  if (row === undefined) throw new Error(`no row was added to ${table.name}`)
  return visibleOf(table, row)
}

/** Adds a row that the caller does not need back, without a round trip of its own. */
export const add = <Row>(ctx: OrganizationContext, table: Table<Row>, values: Values<Row>): void =>
  ctx.store.add(ctx, table, recordOf(ctx, table, values))

/** The columns that are given, with those that come from the context. */
function recordOf<Row>(ctx: OrganizationContext, table: Table<Row>, values: Values<Row>): Record<string, unknown> {
  assertMayCause(ctx, table, table.events.created)
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const owned = table.columns.includes('organization_id') ? { organization_id: ctx.organizationId } : {}
  const record = { ...timesOf(ctx, table), ...Object.fromEntries(given), ...owned }
  // Validation refuses fields that are no columns; that they cannot become SQL does not depend on it.
  const strange = Object.keys(record).find((column) => !COLUMN.test(column))
  if (strange !== undefined) throw new Error(`${table.name} has no such column`)
  return record
}

const COLUMN = /^[a-z][a-z0-9_]*$/

/** By default the database's time, which an organization with a test clock does not live in. */
const timesOf = <Row>(ctx: OrganizationContext, { columns }: Table<Row>) =>
  ctx.testClock
    ? Object.fromEntries(TIMES.filter((column) => columns.includes(column)).map((column) => [column, ctx.now]))
    : {}

/** Changes the given columns of one row; 404 when the organization has no such row. */
export async function update<Row, Resource extends string>(
  ctx: OrganizationContext,
  table: Table<Row, Resource>,
  id: number,
  values: Values<Row>,
  event: EventType<NoInfer<Resource>> = table.events.updated,
): Promise<Row> {
  if (givesExternalId(values)) await assertExternalIdIsFree(ctx, { table, values, id })
  const [row] = await write(ctx, { table, id, values, event }).catch((error: unknown) => throwAsTwin(table, error))
  if (!row) throw notFound()
  return visibleOf(table, row)
}

/**
 * Moves a row along its transition table, and changes `values` with it. One guarded statement, so check and change
 * cannot race: 404 when there is no such row, 409 when its state does not allow the move.
 */
export async function move<Row, Resource extends string, Event extends string>(
  ctx: OrganizationContext,
  table: Table<Row, Resource, Event>,
  id: number,
  { from, to, event, column }: Move<NoInfer<Event>>,
  values: Values<Row> = {},
): Promise<Row> {
  const moved = { ...values, [column]: to } as Values<Row>
  const [row] = await write(ctx, { table, id, values: moved, event: table.events[event], guard: { column, from } })
  if (!row) throw notFound()
  if (!row.was_there)
    throw conflict('status_not_allowed', `${named(table.resource)} that is ${row.was_status} cannot become ${to}`)
  return visibleOf(table, row)
}

/** `An invoice`, `A tax invoice` */
const named = (resource: string): string => `${/^[aeiou]/.test(resource) ? 'An' : 'A'} ${resource.replaceAll('_', ' ')}`

/** Removes a row for good; 404 when the organization has no such row. */
export async function remove<Row>(ctx: OrganizationContext, table: Table<Row>, id: number): Promise<Row> {
  assertMayCause(ctx, table, table.events.deleted)
  const [row] = await ctx.store.remove(ctx, table, id)
  if (!row) throw notFound()
  return visibleOf(table, row)
}

async function write<Row>(ctx: OrganizationContext, change: RowChange<Row>): Promise<ChangedRow<Row>[]> {
  assertMayCause(ctx, change.table, change.event)
  return ctx.store.update(ctx, change)
}

/** Only the columns of the schema, without digests and the statement's own columns, so that it can be sent as it is. */
function visibleOf<Row>(table: Table<Row>, row: Row): Row {
  const all = row as Record<string, unknown>
  const visible: Record<string, unknown> = {}
  for (const column of table.visible) if (column in all) visible[column] = all[column]
  return visible as Row
}
