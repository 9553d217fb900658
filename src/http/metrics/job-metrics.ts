// Jobs by kind for /metrics. A kind that no code of this process knows counts as `unknown`, because labels hold only
// words of ours.
import { Gauge, type Registry } from '@prometheus-io/client'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { Transactions } from '#kernel/access/transactions.ts'
import { recentRows } from './recent-rows.ts'

type JobMetricsOptions = {
  registry: Registry
  transactions: Pick<Transactions, 'read'>
  /** The kinds of jobs that this process knows. */
  jobKinds: readonly string[]
  clock: () => Date
  timeoutMs?: number
}

type KindRow = { kind: string; oldest_due_seconds: number | null } & Record<(typeof STATES)[number], number>

const STATES = ['due', 'running', 'failed', 'dead_letter'] as const

/** Gives a function that updates the figures. */
export function jobMetrics({
  registry,
  transactions,
  jobKinds,
  clock,
  timeoutMs,
}: JobMetricsOptions): () => Promise<void> {
  const registers = [registry]
  const help = 'Jobs by kind and state; failed ones wait for another try, dead letters gave up'
  const jobs = new Gauge({ name: 'titular_jobs', help, labelNames: ['kind', 'state'], registers })
  const oldest = new Gauge({
    name: 'titular_jobs_oldest_due_seconds',
    help: 'How long the oldest due job of each kind has been due',
    labelNames: ['kind'],
    registers,
  })
  const up = new Gauge({
    name: 'titular_database_up',
    help: '1 when the database answered when it was last asked for these figures',
    registers,
  })
  const latest = recentRows(() => transactions.read(null, countStatement(jobKinds, clock())), timeoutMs)
  return async () => {
    const rows = await latest()
    up.set(rows ? 1 : 0)
    jobs.reset()
    oldest.reset()
    for (const row of rows ?? []) {
      for (const state of STATES) jobs.set({ kind: row.kind, state }, row[state])
      if (row.oldest_due_seconds !== null) oldest.set({ kind: row.kind }, row.oldest_due_seconds)
    }
  }
}

const countStatement = (known: readonly string[], now: Date): Statement<KindRow> => sql<KindRow>`
  select named.kind,
         count(*) filter (where due) as due,
         count(*) filter (where running) as running,
         count(*) filter (where dead_at is null and not running and (attempts > 0
           or failing_since is not null)) as failed,
         count(*) filter (where dead_at is not null) as dead_letter,
         extract(epoch from ${now}::timestamptz - min(run_at) filter (where due))::float8 as oldest_due_seconds
    from jobs,
         lateral (select coalesce(leased_until >= ${now}::timestamptz, false) and dead_at is null as running) r,
         lateral (select case when jobs.kind = any(${known}::text[]) then jobs.kind else 'unknown' end as kind) named,
         lateral (select run_at <= ${now}::timestamptz and dead_at is null and not running as due) d
   group by named.kind`
