// All SQL of test clocks (docs/decisions/0062). As the system: they are no concern of the organization's own requests.
import { raw, sql } from '#kernel/values/sql.ts'

export type TestClockRow = {
  organization_id: number
  status: 'ready' | 'advancing' | 'failed'
  /** The time of the organization. */
  now: string
  advancing_to: string | null
  error: string | null
  started_at: string
  created_at: string
  updated_at: string
}

const columns =
  raw(`c.organization_id, s.test_clock as now, c.advancing_to, c.error, c.started_at, c.created_at, c.updated_at,
  case when c.advancing_to is not null then 'advancing' when c.error is not null then 'failed' else 'ready' end as
      status`)

/** Whose records make an organization no longer new: all but those of who belongs to it. */
const OF_A_NEW_ONE = ['organization', 'collaborator', 'api_key']

export const testClocks = {
  of: (org: number) => sql<TestClockRow>`
    select ${columns} from test_clocks c join event_sequences s on s.organization_id = c.organization_id
     where c.organization_id = ${org}`,
  hasRecords: (org: number) => sql`
    select id from audit_log where organization_id = ${org} and resource <> all(${OF_A_NEW_ONE}::text[]) limit 1`,
  start: (org: number, at: Date, now: Date) => sql`
    with clock as (
      insert into test_clocks (organization_id, started_at, created_at, updated_at)
        values (${org}, ${at}, ${now}, ${now})
      returning organization_id)
    update event_sequences s set test_clock = ${at} from clock where s.organization_id = clock.organization_id`,
  /** Jobs that failed are due at once, so that the advance begins with them. */
  begin: (org: number, to: Date, now: Date) => sql`
    with failing as (
      update jobs set run_at = ${now} where organization_id = ${org} and failing_since is not null and dead_at is null)
    update test_clocks set advancing_to = ${to}, advancing_since = ${now}, error = null, updated_at = ${now}
     where organization_id = ${org}`,
  /** Moves the time, unless another process has moved it meanwhile; jobs that have waited for it are due. */
  move: (org: number, { from, to, now }: { from: string; to: Date; now: Date }) => sql`
    with moved as (
      update event_sequences set test_clock = ${to} where organization_id = ${org} and test_clock = ${from}::timestamptz
      returning organization_id)
    update jobs j set run_at = ${now}, waits_for = null from moved
     where j.organization_id = moved.organization_id and j.waits_for <= ${to}`,
  /** The next moment for which a job waits. */
  nextJob: (org: number) => sql<{ at: string | null }>`
    select date_trunc('milliseconds', min(waits_for) + interval '999 microseconds') as at
      from jobs where organization_id = ${org} and waits_for is not null`,
  /** `error` says why an advance stops before its end. */
  end: (org: number, error: string | null, now: Date) => sql`
    update test_clocks set advancing_to = null, error = ${error}, updated_at = ${now} where organization_id = ${org}`,
  /**
   * A job that the advance has to wait for: it runs elsewhere or is tried again. `has_failed`: it became a dead letter
   * during the advance, or has failed so many times.
   */
  unsettled: (org: number, { now, tries }: { now: Date; tries: number }) => sql<UnsettledJob>`
    select j.kind, j.last_error, coalesce(j.leased_until >= ${now}, false) as is_running, j.run_at as next_try_at,
           (j.dead_at is not null or j.attempts >= ${tries} and j.leased_until is null) as has_failed
      from jobs j join test_clocks c on c.organization_id = j.organization_id
     where j.organization_id = ${org}
       and (j.dead_at >= c.advancing_since
         or j.dead_at is null and (j.leased_until >= ${now} or j.failing_since is not null))
     order by has_failed desc, is_running desc, j.run_at limit 1`,
}

type UnsettledJob = {
  kind: string
  last_error: string | null
  is_running: boolean
  has_failed: boolean
  next_try_at: string
}
