// All SQL of administration: it reads across organizations, as the system.
import { type AdministratorsTicketFilters, Ticket } from '#areas/tickets/ticket.ts'
import { page } from '#kernel/http/route.ts'
import { contains } from '#kernel/data/search.ts'
import { raw, sql, type Statement, when } from '#kernel/data/sql.ts'
import type { OrderFilters, UnfinishedJobFilters, UnfinishedJob, UserFilters } from './administration.ts'

const ticketColumns = raw(
  Object.keys(Ticket.properties)
    .map((column) => `t.${column}`)
    .join(', '),
)
const state = sql`case when parked_at is not null then 'parked' when failing_since is not null then 'failing' else 'late' end`
const job = sql`id, kind, organization_id, payload, ${state} as state, last_error, attempts, failing_since,
  case when parked_at is null then run_at end as next_try_at, parked_at, created_at`

/** A job is listed before it is a dead letter when it has been failing or due for so long. */
const PATIENCE_MS = 60_000

/** A dead letter; failing for `PATIENCE_MS`; or due for `PATIENCE_MS` and not leased by a worker. */
function isUnfinished(now: Date): Statement {
  const since = new Date(now.getTime() - PATIENCE_MS)
  return sql`(parked_at is not null or failing_since <= ${since}
    or failing_since is null and run_at <= ${since} and (leased_until is null or leased_until < ${now}))`
}

/** As the condition of its index. */
const isUnassigned = sql`and t.assignee_id is null and t.status in ('open', 'in_progress', 'waiting')`

// A left join is left out of the count, since it neither adds nor removes orders or tickets.
export const administration = {
  users: (query: UserFilters) =>
    page(query, {
      columns: sql`u.id, u.email, u.name, u.login, u.phone, u.status, u.roles, u.language, u.active_team_id, u.registered,
        u.disabled_at, array(select c.organization_id from collaborators c
                              where c.user_id = u.id and c.role <> 'pending' order by c.organization_id) as organization_ids`,
      id: 'u.id',
      from: sql`from users u where true
        ${when(query.status, (status) => sql`and u.status = ${status}`)}
        ${when(query.disabled, (disabled) => (disabled ? sql`and u.disabled_at is not null` : sql`and u.disabled_at is null`))}
        ${when(query.search, (text) => sql`and (${contains('u.name', text)} or ${contains('u.email', text)} or ${contains('u.login', text)})`)}`,
    }),
  orders: (query: OrderFilters) =>
    page(query, {
      columns: sql`d.id, d.number, d.status, d.total, d.currency, d.created_at as date_created, d.updated_at as date_modified,
        d.date_paid, d.date_completed, d.payment_method, d.payment_method_title, d.customer_id, d.billing_email, d.billing_name,
        d.organization_id, o.name as organization_name, d.company, d.quote_id, d.line_items as items,
        jsonb_array_length(d.line_items) as items_count, d.notes`,
      id: 'd.id',
      from: sql`from orders d left join organizations o on o.id = d.organization_id where true
        ${when(query.organization_id, (id) => sql`and d.organization_id = ${id}`)}
        ${when(query.status, (status) => sql`and d.status = ${status}`)}
        ${when(query.company, (company) => sql`and d.company = ${company}`)}
        ${when(query.date_from, (day) => sql`and d.created_at >= ${day}::date::timestamp at time zone 'UTC'`)}
        ${when(query.date_to, (day) => sql`and d.created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`)}
        ${when(query.search, (text) => sql`and (${contains('d.number', text)} or ${contains('d.billing_name', text)} or ${contains('o.name', text)})`)}`,
    }),
  tickets: (query: AdministratorsTicketFilters) =>
    page(query, {
      columns: sql`${ticketColumns}, o.name as organization_name`,
      id: 't.id',
      ...(query.assigned === false && { sortedBy: 't.next_due_at', oldestFirst: true }),
      from: sql`from tickets t left join organizations o on o.id = t.organization_id where true
        ${when(query.organization_id, (id) => sql`and t.organization_id = ${id}`)}
        ${when(query.status, (status) => sql`and t.status = ${status}`)}
        ${when(query.priority, (priority) => sql`and t.priority = ${priority}`)}
        ${when(query.entitlement_id, (id) => sql`and t.entitlement_id = ${id}`)}
        ${when(query.assignee_id, (id) => sql`and t.assignee_id = ${id}`)}
        ${when(query.assigned, (assigned) => (assigned ? sql`and t.assignee_id is not null` : isUnassigned))}
        ${when(query.search, (text) => sql`and (${contains('t.number', text)} or ${contains('t.title', text)} or ${contains('t.description', text)} or ${contains('o.name', text)})`)}`,
    }),
  unfinishedJobs: (query: UnfinishedJobFilters, now: Date) =>
    page(query, {
      columns: job,
      from: sql`from jobs where ${isUnfinished(now)}
        ${when(query.state, (one) => sql`and ${state} = ${one}`)}
        ${when(query.kind, (kind) => sql`and kind = ${kind}`)}
        ${when(query.organization_id, (id) => sql`and organization_id = ${id}`)}`,
    }),
  /** Due at once, with its attempts counted from 0 again. */
  retry: (id: number, now: Date) => sql<UnfinishedJob>`
    update jobs set parked_at = null, failing_since = null, attempts = 0, run_at = ${now}
     where id = ${id} and ${isUnfinished(now)} returning ${job}`,
}
