// All SQL of the queue: the statements of its sources, beside which only assignments and snoozes are kept.
import { permissionFor, PERMISSIONS_OF_U, type StaffScope } from '#kernel/values/staff-roles.ts'
import { inOrganizations, type Only, organizationName } from '#kernel/data/lists/across.ts'
import type { QueueSource } from '#http/manifest/queue.ts'
import { mayRead } from '#kernel/data/lists/search.ts'
import { join, nothing, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import type { QueueCount, QueueFilters, QueueItem } from './queue-item.ts'

type QueueOptions = { now: Date; only: Only; query?: Pick<QueueFilters, 'organization_id' | 'team_id'> }

/** Errors of jobs are longer. */
const LABEL = 300

/** The items of a source. Who is not staff any more has none; a snooze that is over is none. */
const itemsOf = ({ kind, rows, act }: QueueSource, { now, only, query = {} }: QueueOptions): Statement => sql`
  select ${kind}::text as kind, w.id, w.organization_id, left(w.label, ${LABEL}) as label, w.since, u.id as assignee_id,
    u.name as assignee_name,
         case when s.snoozed_until > ${now} then s.snoozed_until end as snoozed_until,
         jsonb_build_object('method', ${act.method}::text, 'path', replace((${act.path})::text, '{id}', w.id::text),
           'organization_id', ${act.inOrganization ? sql`w.organization_id` : sql`null`}) as act
    from (${rows}) w
         left join queue_assignments s on s.kind = ${kind} and s.record_id = w.id
         left join users u on u.id = s.assignee_id and u.disabled_at is null and ${PERMISSIONS_OF_U} is not null
   where true ${inOrganizations('w.organization_id', query, only)} ${when(query.team_id, inTeam)}`

/** As JSON, since the rows of most kinds have no such column: tickets alone have teams. */
const inTeam = (id: number): Statement => sql`and (to_jsonb(w) ->> 'team_id')::bigint = ${id}`

/** Of all kinds that the caller may read. */
const itemsOfAll = (sources: readonly QueueSource[], asked: QueueOptions): Statement =>
  join(
    sources.map((source) => sql`select * from (${itemsOf(source, asked)}) i where ${mayRead(source.scope)}`),
    ' union all ',
  )

const filtered = ({ assignee_id, assigned, snoozed = false }: QueueFilters): Statement => sql`
  where i.snoozed_until ${raw(snoozed ? 'is not null' : 'is null')}
    ${when(assignee_id, (id) => sql`and i.assignee_id = ${id}`)}
    ${assigned === undefined ? nothing : raw(assigned ? 'and i.assignee_id is not null' : 'and i.assignee_id is null')}`

export const queue = {
  /** The longest waiting first. */
  page(
    sources: readonly QueueSource[],
    query: QueueFilters,
    { now, only }: Omit<QueueOptions, 'query'>,
  ): ReadPlan<QueueItem> {
    const { page = 1, per_page = DEFAULT_PER_PAGE, kind } = query
    const asked = sources.filter((source) => kind === undefined || source.kind === kind)
    const from = sql`from (${itemsOfAll(asked, { now, only, query })}) i ${filtered(query)}`
    return {
      kind: 'page',
      page: query,
      rows: sql`
        select p.*, ${organizationName('p')}
          from (select * ${from} order by i.since, i.kind, i.id limit ${per_page} offset ${(page - 1) * per_page}) p
         order by p.since, p.kind, p.id`,
      total: sql<{ total: number }>`select count(*) as total ${from}`,
    }
  },
  /** A row for each kind that the caller may read. */
  counts: (sources: readonly QueueSource[], asked: Omit<QueueOptions, 'query'>): ReadPlan<{ counts: QueueCount[] }> =>
    parts(
      sources.map(
        (source) => sql<QueueCount>`
          select ${source.kind}::text as kind, count(*) filter (where i.snoozed_until is null) as open,
                 count(*) filter (where i.snoozed_until is null and i.assignee_id is null) as unassigned,
                 count(*) filter (where i.snoozed_until is not null) as snoozed
            from (${itemsOf(source, asked)}) i having ${mayRead(source.scope)}`,
      ),
      (rows) => ({ counts: rows.flat() }),
    ),
  item: (source: QueueSource, id: number, now: Date) => sql<QueueItem>`
    select p.*, ${organizationName('p')}
      from (select * from (${itemsOf(source, { now, only: null })}) i where i.id = ${id} offset 0) p`,
  mayAct: (userId: number, scope: StaffScope) => sql`
    select u.id from users u where u.id = ${userId} and u.disabled_at is null
       and ${PERMISSIONS_OF_U} @> ${[permissionFor(scope, true)]}::text[]`,
  assign: (kind: string, id: number, assigneeId: number | null) => sql`
    insert into queue_assignments (kind, record_id, assignee_id) values (${kind}, ${id}, ${assigneeId}::bigint)
        on conflict (kind, record_id) do update set assignee_id = excluded.assignee_id`,
  snooze: (kind: string, id: number, until: string | null) => sql`
    insert into queue_assignments (kind, record_id, snoozed_until) values (${kind}, ${id}, ${until}::timestamptz)
        on conflict (kind, record_id) do update set snoozed_until = excluded.snoozed_until`,
}
