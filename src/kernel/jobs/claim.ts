// The worker's statements on the jobs table: claim due jobs under a lease, renew the lease, end it after success or
// failure.
import type { Database } from '#kernel/database/database.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'
import type { Failure } from './job-failure.ts'
import type { Job, JobRow } from './jobs.ts'
import { giveTurns, lockTurns, MOST_TURNS } from './turns.ts'

/** Runs one statement outside of any organization, in one transaction with those `before` it. */
export async function readAsSystem<Row>(
  database: Database,
  statement: Statement<Row>,
  before: readonly Statement[] = [],
): Promise<Row[]> {
  const rows = (await database.read('titular_system', [...before, statement])).at(-1)
  return (rows ?? []) as Row[]
}

type Claim = {
  store: Pick<TenantStore, 'ifComplete'>
  lease: string
  now: Date
  leaseSeconds: number
  kinds: readonly string[]
  limit: number
}
type ClaimByTurn = Claim & {
  /** Of the kinds, those that a person waits for. */
  urgent: readonly string[]
  /** Which jobs come first in this claim; the others get what is left of the limit. */
  urgentFirst: boolean
}

/**
 * A claim that a crash undoes is made again, so it need not wait for the disk. It takes the first of the index of what
 * is due, however many those are; planned for its values, it took longer than it ran, and sorted all of them where
 * their number was not known.
 */
export const AS_A_CLAIM = sql`
  select set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
         set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
           set_config('enable_seqscan', 'off', true)`

/** Gives turns to what has become due, and claims the first of those that have one. */
export async function claim(database: Database, options: ClaimByTurn): Promise<JobRow[]> {
  const statements = [AS_A_CLAIM, lockTurns(options), giveTurns(options), claimByTurn(options)]
  for (;;) {
    const [, , given, rows] = await database.read('titular_system', statements)
    const [{ count } = { count: 0 }] = given as { count: number }[]
    if (count < MOST_TURNS || (rows ?? []).length > 0) return rows as JobRow[]
  }
}

/** The jobs of one organization, in the order in which they became due. */
export const claimIn = (database: Database, organizationId: number, options: Claim): Promise<JobRow[]> => {
  const isOf = sql`coalesce(j.organization_id::text, j.kind) = ${organizationId}::bigint::text
                  and j.organization_id = ${organizationId}`
  const isFree = claimable(options)
  const due = sql`due as materialized (
      select j.id from jobs j where ${isOf} and ${isFree}
       order by j.run_at, j.id limit ${options.limit} for update of j skip locked)`
  return readAsSystem(database, sql<JobRow>`with ${due} ${leasing(options, sql`select id from due`)}`, [AS_A_CLAIM])
}

/** Due, not a dead letter, not leased, and with the same key neither an older job nor one that is being worked on. */
function claimable({ store, now, kinds }: Claim): Statement {
  const isFirst = sql`(j.key is null or not exists (
          select 1 from jobs k where k.key = j.key and k.id <> j.id and k.dead_at is null
             and (k.id < j.id or k.leased_until >= ${now})))`
  return sql`j.run_at <= ${now} and j.dead_at is null and (j.leased_until is null or j.leased_until < ${now})
        and j.kind = any(${kinds}::text[]) and ${store.ifComplete(isFirst)}`
}

const leasing = ({ lease, now, leaseSeconds }: Claim, ids: Statement): Statement => sql`
  update jobs set lease = ${lease}::uuid, attempts = attempts + 1,
         leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
   where id in (${ids})
  returning id, organization_id, kind, payload, attempts, every_seconds, failing_since, last_error, created_at,
            turn, is_urgent,
            (select s.test_clock from event_sequences s where s.organization_id = jobs.organization_id) as test_clock`

export function claimByTurn(options: ClaimByTurn): Statement<JobRow> {
  const { limit, urgentFirst } = options
  const isFree = claimable(options)
  // Materialized, so that no plan runs it again for each row and takes more than the limit.
  const some = (isUrgent: boolean, most: Statement) => sql`as materialized (
      select j.id from jobs j where j.is_urgent = ${isUrgent} and j.turn is not null and ${isFree}
       order by j.turn, j.id limit ${most} for update of j skip locked)`
  return sql<JobRow>`
    with first ${some(urgentFirst, sql`${limit}::int`)},
    rest ${some(!urgentFirst, sql`${limit}::int - (select count(*) from first)`)},
    claimed as (${leasing(options, sql`select id from first union all select id from rest`)}),
    come as (
      update job_turns t set urgent = greatest(t.urgent, c.urgent), ordinary = greatest(t.ordinary, c.ordinary)
        from (select max(turn) filter (where is_urgent) as urgent, max(turn) filter (where not is_urgent) as ordinary
                from claimed) c
       where c.urgent > t.urgent or c.ordinary > t.ordinary)
    select id, organization_id, kind, payload, attempts, every_seconds, failing_since, last_error, created_at,
      test_clock
      from claimed`
}

type Renewal = { lease: string; now: Date; leaseSeconds: number }

export const renewStatement = (id: number, { lease, now, leaseSeconds }: Renewal): Statement => sql`
  update jobs set leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
   where id = ${id} and lease = ${lease}::uuid returning id`

/** Deletes the job, or sets a periodic one to its next time. Gives no row when the lease is no longer this worker's. */
export function finishStatement(row: JobRow, lease: string, now: Date): Statement {
  const leased = sql`organization_id is not distinct from ${row.organization_id}::bigint and id = ${row.id}
    and lease = ${lease}::uuid`
  return row.every_seconds === null
    ? sql`delete from jobs where ${leased} returning id`
    : sql`update jobs set run_at = ${now}::timestamptz + make_interval(secs => every_seconds), turn = null,
                 lease = null, leased_until = null, attempts = 0, last_error = null, failing_since = null
                   where ${leased} returning id`
}

export function failStatement(id: number, lease: string, failure: Failure): Statement {
  const { message, attempts, isDeadLetter, next, now } = failure
  return sql`
  update jobs set lease = null, leased_until = null, last_error = ${message}, run_at = ${next}, turn = null,
         attempts = ${attempts}, dead_at = ${isDeadLetter ? now : null}::timestamptz,
           failing_since = coalesce(failing_since, ${now})
   where id = ${id} and lease = ${lease}::uuid returning id`
}

/** One row for each periodic job, however many processes start at once. */
export const periodicStatements = (jobs: readonly Job[], now: Date): Statement[] =>
  jobs.flatMap((job) =>
    job.scope !== 'system' || job.everySeconds === undefined
      ? []
      : sql`insert into jobs (kind, every_seconds, run_at) values (${job.kind.name}, ${job.everySeconds}, ${now})
          on conflict (kind) where every_seconds is not null do update set every_seconds = excluded.every_seconds
            returning id`,
  )
