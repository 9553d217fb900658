// Jobs by kind for /metrics: one statement, run at most every five seconds however often /metrics is read. It never
// lets /metrics fail or wait long: without the database these figures are absent.
import { Gauge, type Registry } from '@prometheus-io/client'
import { type Statement, sql } from '#kernel/data/sql.ts'
import type { Transactions } from '#kernel/data/transactions.ts'

export type JobMetricsOptions = {
  registry: Registry
  transactions: Pick<Transactions, 'read'>
  clock: () => Date
  timeoutMs?: number
}

type KindRow = { kind: string; oldest_due_seconds: number | null } & Record<(typeof STATES)[number], number>

const STATES = ['due', 'running', 'failed', 'parked'] as const
const FRESH_MS = 5000
const TIMEOUT_MS = 1000

/** Gives a function that updates the figures. */
export function jobMetrics(options: JobMetricsOptions): () => Promise<void> {
  const registers = [options.registry]
  const help = 'Jobs by kind and state; failed ones wait for another try, parked ones gave up'
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
  const latest = counter(options)
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

/** Null when there was no answer in time. One statement runs at a time, so that a stalled database gets no queue. */
function counter({ transactions, clock, timeoutMs = TIMEOUT_MS }: JobMetricsOptions): () => Promise<KindRow[] | null> {
  let cached: { rows: KindRow[] | null; until: number } | undefined
  let pending: Promise<KindRow[] | null> | undefined
  async function ask(): Promise<KindRow[] | null> {
    const rows = await transactions.read(null, countStatement(clock())).catch(() => null)
    cached = { rows, until: Date.now() + FRESH_MS }
    pending = undefined
    return rows
  }
  return async () => {
    if (cached?.rows && Date.now() < cached.until) return cached.rows
    pending ??= ask()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, timeoutMs, null)))
    return Promise.race([pending, late]).finally(() => clearTimeout(timer))
  }
}

const countStatement = (now: Date): Statement<KindRow> => sql<KindRow>`
  select kind,
         count(*) filter (where due) as due,
         count(*) filter (where running) as running,
         count(*) filter (where parked_at is null and not running and (attempts > 0 or failing_since is not null)) as failed,
         count(*) filter (where parked_at is not null) as parked,
         extract(epoch from ${now}::timestamptz - min(run_at) filter (where due))::float8 as oldest_due_seconds
    from jobs,
         lateral (select coalesce(leased_until >= ${now}::timestamptz, false) and parked_at is null as running) r,
         lateral (select run_at <= ${now}::timestamptz and parked_at is null and not running as due) d
   group by kind`
