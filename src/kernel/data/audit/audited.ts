// Audit entry, event and jobs of a change: parts of the statement that writes the row (postgres-store.ts).
import type { OrganizationContext } from '#kernel/data/context.ts'
import { maskedIn } from './row-image.ts'
import { searchTermParts } from '#kernel/data/lists/search.ts'
import { type Statement, nothing, sql } from '#kernel/values/sql.ts'
import type { EventType, Table } from '#kernel/data/table.ts'

/**
 * Audit entry, event and jobs as further parts of the statement. `image` gives the row before and after, and which of
 * its columns differ; when none differs, nothing is written.
 */
export function audited<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  type: EventType,
  image: Statement,
  changing: readonly string[] = table.search,
): Statement {
  const { organizationId } = ctx
  return sql`
    ${changed(image)}, ${numbered(organizationId)}, audited as (
      insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id,
                             before, after, reason, request_id, ip)
      select ${entryOf(ctx, table, type)} from changed c
    ), emitted as (
      insert into events (organization_id, sequence, type, resource, resource_id, data, at)
      select ${eventOf(ctx, table, type)} from changed c, numbered n returning id, resource_id
    ), ${enqueued(ctx, table, type)}${isFound(table, changing) ? searchTermParts(organizationId, table) : nothing}`
}

/** Whether the change is of what `GET /search` looks through. */
export const isFound = <Row>({ search }: Table<Row>, changing: readonly string[]) =>
  search.some((column) => changing.includes(column))

const changed = (image: Statement) => sql`
    changed as (
      select (coalesce(i.now, i.was) ->> 'id')::bigint as id, i.* from (${image}) i
       where i.lost is not null or i.gained is not null
    )`

const numbered = (organizationId: number) => sql`numbered as (
      update event_sequences set last_sequence = last_sequence + 1
       where organization_id = ${organizationId} and exists (select 1 from changed) returning last_sequence
    )`

const entryOf = <Row>(ctx: OrganizationContext, { resource }: Table<Row>, type: EventType) => {
  const { caller, organizationId } = ctx
  const action = type.slice(type.lastIndexOf('/') + 1)
  return sql`${organizationId}, ${ctx.now}, ${caller.kind}, ${caller.userId}::bigint, ${caller.name}, ${action},
    ${resource},
             c.id, c.lost, c.gained, ${ctx.reason ?? null}::text, ${ctx.requestId}, ${ctx.ip}`
}

const eventOf = <Row>({ organizationId, now }: OrganizationContext, table: Table<Row>, type: EventType) =>
  sql`${organizationId}, n.last_sequence, ${type}, ${table.resource}, c.id, coalesce(c.now, c.was) - ${maskedIn(table)},
    ${now}`

function enqueued<Row>(ctx: OrganizationContext, { resource }: Table<Row>, type: EventType): Statement {
  const { organizationId } = ctx
  const jobs = ctx.consumers.jobsFor(type)
  if (jobs.length > 0) ctx.onEnqueued()
  return sql`enqueued as (
      insert into jobs (organization_id, kind, key, run_at, payload)
      select ${organizationId}, j.kind, concat_ws(':', j.kind, ${resource}::text, e.resource_id,
        ${organizationId}::text), ${ctx.realNow}::timestamptz,
             jsonb_build_object('event_id', e.id, 'resource_id', e.resource_id)
        from emitted e, unnest(${jobs}::text[]) as j(kind)
    )`
}
