// All SQL of administration: it reads across organizations, as the system.
import { inOrganizations, type Only, organizationName } from '#kernel/data/lists/across.ts'
import { withAmountsIfRead } from '#kernel/data/amounts-in-text.ts'
import { page } from '#http/route.ts'
import { contains } from '#kernel/data/lists/search.ts'
import { isOneOf, sql, type Statement, when } from '#kernel/values/sql.ts'
import { type UnfinishedJob, type UnfinishedJobFilters, type UserFilters, userListing } from './administration.ts'

const state = sql`
  case when dead_at is not null then 'dead_letter' when failing_since is not null then 'failing' else 'late' end`
const job = sql`id, kind, organization_id, ${organizationName('jobs')}, payload, ${state} as state,
  ${withAmountsIfRead(sql`last_error`)} as last_error, attempts, failing_since,
  case when dead_at is null then run_at end as next_try_at, dead_at, created_at`

/** A job is listed before it is a dead letter when it has been failing or due for so long. */
const PATIENCE_MS = 60_000

/** A dead letter; failing for `PATIENCE_MS`; or due for `PATIENCE_MS` and not leased by a worker. */
function isUnfinished(now: Date): Statement {
  const since = new Date(now.getTime() - PATIENCE_MS)
  return sql`(dead_at is not null or failing_since <= ${since}
    or failing_since is null and run_at <= ${since} and (leased_until is null or leased_until < ${now}))`
}

export const administration = {
  users: (query: UserFilters) =>
    page(query, {
      columns: sql`u.id, u.email, u.name, u.login, u.phone, u.status, u.roles, u.language, u.active_team_id,
        u.registered,
        u.updated_at, u.disabled_at, array(select c.organization_id from collaborators c
                              where c.user_id = u.id and c.role <> 'pending'
                                order by c.organization_id) as organization_ids`,
      id: 'u.id',
      listing: userListing,
      from: sql`from users u where true
        ${when(query.status, (status) => sql`and u.status = ${status}`)}
        ${when(query.disabled, (disabled) =>
          disabled
            ? sql`and u.disabled_at is not null`
            : sql`and u.disabled_at is
          null`,
        )}
        ${when(
          query.search,
          (text) => sql`and (${contains('u.name', text)} or ${contains('u.email', text)}
          or ${contains('u.login', text)})`,
        )}`,
    }),
  unfinishedJobs: (query: UnfinishedJobFilters, only: Only, now: Date) =>
    page(query, {
      columns: job,
      from: sql`from jobs where ${isUnfinished(now)}
        ${isOneOf(state, query.state)}
        ${when(query.kind, (kind) => sql`and kind = ${kind}`)}
        ${inOrganizations('organization_id', query, only)}`,
    }),
  /** Due at once, with its attempts counted from 0 again. */
  retry: (id: number, now: Date) => sql<UnfinishedJob>`
    update jobs set dead_at = null, failing_since = null, attempts = 0, run_at = ${now}
     where id = ${id} and ${isUnfinished(now)} returning ${job}`,
}
