// The only ways to write a tenant row. Each is one statement that writes the row, its audit entry, its event and the
// jobs of the event's consumers (docs/architecture.md).
import { hasTestClock, type OrganizationContext } from './context.ts'
import { conflict, notFound } from '#kernel/http/errors.ts'
import { assertExternalIdIsFree, givesExternalId, throwAsTwin } from './external-ids.ts'
import type { Move } from './moves.ts'
import { added, altered, maskedIn, removed } from './row-image.ts'
import { type Statement, nothing, raw, sql } from './sql.ts'
import { searchTermParts } from './search.ts'
import type { EventType, Table } from './table.ts'
import { storableJson } from '#kernel/values/text.ts'

type Values<Row> = { [Column in keyof Row]?: Row[Column] | undefined }

/** Adds a row; `organization_id` comes from the context. Returns it as stored. */
export async function insert<Row>(ctx: OrganizationContext, table: Table<Row>, values: Values<Row>): Promise<Row> {
  if (givesExternalId(values)) await assertExternalIdIsFree(ctx, { table, values })
  const [row] = await ctx.ask(insertion(ctx, table, values)).catch((error: unknown) => throwAsTwin(table, error))
  if (row === undefined) throw new Error(`insert into ${table.name} returned nothing`)
  return visibleOf(table, row)
}

/** Adds a row that the caller does not need back, without a round trip of its own. */
export const add = <Row>(ctx: OrganizationContext, table: Table<Row>, values: Values<Row>): void =>
  ctx.write(insertion(ctx, table, values))

function insertion<Row>(ctx: OrganizationContext, table: Table<Row>, values: Values<Row>): Statement<Row> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const owned = table.columns.includes('organization_id') ? { organization_id: ctx.organizationId } : {}
  const record = { ...timesOf(ctx, table), ...Object.fromEntries(given), ...owned }
  // Validation refuses fields that are no columns; that they cannot become SQL does not depend on it.
  const strange = Object.keys(record).find((column) => !COLUMN.test(column))
  if (strange !== undefined) throw new Error(`${table.name} has no such column`)
  const columns = raw(Object.keys(record).join(', '))
  return sql<Row>`
    with after as (
      insert into ${raw(table.name)} (${columns})
      select ${columns} from jsonb_populate_record(null::${raw(table.name)}, ${storableJson(record)}::jsonb)
      returning *
    ), ${audited(ctx, table, table.events.created, added(table))}
    select ${columnsOf(table, 'a')} from after a`
}

const COLUMN = /^[a-z][a-z0-9_]*$/

/** By default the database's time, which an organization with a test clock does not live in. */
const timesOf = <Row>(ctx: OrganizationContext, { columns }: Table<Row>) =>
  hasTestClock(ctx)
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
  const [row] = await ctx
    .ask<Row & { was_there: boolean }>(written(ctx, table, id, values, nothing, event))
    .catch((error: unknown) => throwAsTwin(table, error))
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
  const state = raw(column)
  const guard = sql`and t.${state} = any(${from}::text[])`
  const [row] = await ctx.ask<Row & { was_status: string; was_there: boolean }>(
    written(
      ctx,
      table,
      id,
      { ...values, [column]: to } as Values<Row>,
      guard,
      table.events[event],
      sql`(b.was).${state} as was_status,`,
    ),
  )
  if (!row) throw notFound()
  if (!row.was_there)
    throw conflict('status_not_allowed', `${named(table.resource)} that is ${row.was_status} cannot become ${to}`)
  return visibleOf(table, row)
}

/** `An invoice`, `A tax invoice` */
const named = (resource: string): string => `${/^[aeiou]/.test(resource) ? 'An' : 'A'} ${resource.replaceAll('_', ' ')}`

/** Removes a row for good; 404 when the organization has no such row. */
export async function remove<Row>(ctx: OrganizationContext, table: Table<Row>, id: number): Promise<Row> {
  const [row] = await ctx.ask<Row>(sql`
    with before as (
      delete from ${raw(table.name)} t where t.organization_id = ${ctx.organizationId} and t.id = ${id} returning *
    ), ${audited(ctx, table, table.events.deleted, removed(table))}
    select ${columnsOf(table, 'b')} from before b`)
  if (!row) throw notFound()
  return visibleOf(table, row)
}

/** The statement of `update` and `move`: the row before it, the row after it, the audit of the difference. */
function written<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  id: number,
  values: Values<Row>,
  guard: Statement,
  event: EventType,
  marks: Statement = nothing,
): Statement<Row & { was_status: string; was_there: boolean }> {
  const settable = table.changeable ?? table.columns.filter((column) => !NEVER_SET.includes(column))
  const name = raw(table.name)
  const at = sql`t.organization_id = ${ctx.organizationId} and t.id = ${id}`
  return sql`
    with before as (select t as was from ${name} t where ${at} for update of t),
    after as (
      update ${name} t set updated_at = ${hasTestClock(ctx) ? sql`${ctx.now}::timestamptz` : sql`now()`}, (${raw(settable.join(', '))}) = (
        select ${raw(settable.map((column) => `r.${column}`).join(', '))}
          from jsonb_populate_record(b.was, ${storableJson(values)}::jsonb) r)
        from before b where ${at} ${guard} returning t.*
    ), ${audited(ctx, table, event, altered(table), Object.keys(values))}
    select ${marks} a.id is not null as was_there, ${columnsOf(table, 'a')} from before b left join after a on true`
}

/** By name, never `*`: a column that a migration adds must not change the result of a prepared statement. */
const columnsOf = <Row>({ visible: columns }: Table<Row>, alias: string) =>
  raw(columns.map((column) => `${alias}.${column}`).join(', '))

const NEVER_SET = ['id', 'organization_id', 'created_at', 'updated_at']
/** The columns whose default is the database's time; a test compares them. */
export const TIMES = ['created_at', 'updated_at', 'status_since']

/**
 * Audit entry, event and jobs as further parts of the statement. `image` gives the row before and after, and which of
 * its columns differ; when none differs, nothing is written.
 */
function audited<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  type: EventType,
  image: Statement,
  changing: readonly string[] = table.search,
): Statement {
  const { caller, organizationId } = ctx
  const action = type.slice(type.lastIndexOf('/') + 1)
  const jobs = ctx.consumers.jobsFor(type)
  if (jobs.length > 0) ctx.onEnqueued()
  return sql`
    changed as (
      select (coalesce(i.now, i.was) ->> 'id')::bigint as id, i.* from (${image}) i
       where i.lost is not null or i.gained is not null
    ), numbered as (
      update event_sequences set last_sequence = last_sequence + 1
       where organization_id = ${organizationId} and exists (select 1 from changed) returning last_sequence
    ), audited as (
      insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id,
                             before, after, reason, request_id, ip)
      select ${organizationId}, ${ctx.now}, ${caller.kind}, ${caller.userId}::bigint, ${caller.name}, ${action}, ${table.resource},
             c.id, c.lost, c.gained, ${ctx.reason ?? null}::text, ${ctx.requestId}, ${ctx.ip}
        from changed c ${ctx.isDistributed ? sql`returning 1` : nothing}
    ), emitted as (
      insert into events (organization_id, sequence, type, resource, resource_id, data, at)
      select ${organizationId}, n.last_sequence, ${type}, ${table.resource}, c.id,
             coalesce(c.now, c.was) - ${maskedIn(table)}, ${ctx.now}
        from changed c, numbered n returning id, resource_id
    ), enqueued as (
      insert into jobs (organization_id, kind, key, run_at, payload)
      select ${organizationId}, j.kind, concat_ws(':', j.kind, ${table.resource}::text, e.resource_id, ${organizationId}::text), ${ctx.realNow}::timestamptz,
             jsonb_build_object('event_id', e.id, 'resource_id', e.resource_id)
        from emitted e, unnest(${jobs}::text[]) as j(kind)
    )${table.search.some((column) => changing.includes(column)) ? searchTermParts(organizationId, table) : nothing}`
}

/** Only the columns of the schema, without digests and the statement's own columns, so that it can be sent as it is. */
function visibleOf<Row>(table: Table<Row>, row: Row): Row {
  const all = row as Record<string, unknown>
  const visible: Record<string, unknown> = {}
  for (const column of table.visible) if (column in all) visible[column] = all[column]
  return visible as Row
}
