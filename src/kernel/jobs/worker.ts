// The jobs table and the worker's loop: claimed with skip locked, leased, retried with growing gaps, then parked
// where staff see and restart them (docs/architecture.md, "Changes leave a trail, once").
import { randomUUID } from 'node:crypto'
import type { IoContext, OrganizationContext, Ports, SystemContext } from '#kernel/data/context.ts'
import type { Database } from '#kernel/database/database.ts'
import type { EventConsumers } from './events.ts'
import { type Failure, failureOf, MAX_ATTEMPTS } from './job-failure.ts'
import { type BoundTransactions, type Job, type JobInput, type JobRow, PermanentFailure } from './jobs.ts'
import { type Statement, sql } from '#kernel/data/sql.ts'
import { type Origin, type Transactions, SYSTEM_CALLER } from '#kernel/data/transactions.ts'

const CLAIM_LOG_MS = 30_000

export type WorkerOptions = {
  database: Database
  work: Transactions
  jobs: readonly Job[]
  consumers: EventConsumers
  ports: Ports
  clock: () => Date
  concurrency: number
  /** A job whose worker died is taken over when its lease has ended; a live worker renews it. */
  leaseSeconds: number
  pollMs: number
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

export type Worker = {
  /** There may be new jobs. */
  wake(): void
  /** Works until nothing that is due is left; for tests and commands. */
  drain(): Promise<void>
  start(): Promise<void>
  /** Takes no more, and waits for what runs. */
  stop(): Promise<void>
}

export function createWorker(options: WorkerOptions): Worker {
  const kinds = new Map(options.jobs.map((job) => [job.kind.name, job]))
  const running = new Set<Promise<void>>()
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let claiming: Promise<number> | undefined
  let wokenMeanwhile = false
  const claims = claimLog(options.log)

  async function claimAndRun(): Promise<number> {
    const room = options.concurrency - running.size
    if (room <= 0) return 0
    const lease = randomUUID()
    const rows = await system(options.database, claimStatement(options, lease, [...kinds.keys()], room))
    for (const row of rows) {
      const task = runLeased(options, kinds, row, lease).finally(() => {
        running.delete(task)
        if (!stopped) wake()
      })
      running.add(task)
    }
    return rows.length
  }
  function pull(): Promise<number> {
    if (claiming) {
      wokenMeanwhile = true
      return claiming
    }
    claiming = claimAndRun().finally(() => {
      claiming = undefined
      if (wokenMeanwhile && !stopped) wake()
      wokenMeanwhile = false
    })
    return claiming
  }
  function wake(): void {
    if (stopped) return
    pull().then(claims.succeeded, claims.failed)
  }
  return {
    wake,
    async drain() {
      for (;;) {
        // oxlint-disable-next-line no-unmodified-loop-condition -- `finally` of the claim modifies it
        while (claiming) await claiming
        // A full house claims nothing, which says nothing about what waits.
        const hadRoom = running.size < options.concurrency
        const claimed = await pull()
        await Promise.all(running)
        if (claimed === 0 && hadRoom && running.size === 0) return
      }
    },
    async start() {
      stopped = false
      await ensurePeriodic(options)
      // It keeps the process alive: `work` has no other handle while the database is away.
      timer = setInterval(wake, options.pollMs)
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await claiming?.catch(() => 0)
      await Promise.allSettled(running)
    },
  }
}

/** Every second one fails while the database is away: that is logged once, then every half minute, and so is its end. */
function claimLog(log: WorkerOptions['log']): { succeeded: () => void; failed: (error: unknown) => void } {
  let loggedAt: number | null = null
  return {
    succeeded() {
      if (loggedAt !== null) log.info({}, 'jobs are claimed again')
      loggedAt = null
    },
    failed(error) {
      const now = performance.now()
      if (loggedAt !== null && now - loggedAt < CLAIM_LOG_MS) return
      loggedAt = now
      log.error({ err: error }, 'jobs could not be claimed')
    },
  }
}

async function system<Row>(database: Database, statement: Statement<Row>): Promise<Row[]> {
  const [rows = []] = await database.read('titular_system', [statement])
  return rows as Row[]
}

/** Due, not parked, not leased, and with the same key neither an older job nor one that is being worked on. */
const claimStatement = (
  { clock, leaseSeconds }: WorkerOptions,
  lease: string,
  kinds: string[],
  limit: number,
): Statement<JobRow> => {
  const now = clock()
  // A claim that a crash undoes is made again, so it need not wait for the disk.
  // Materialized, so that no plan runs it again for each row and takes more than the limit.
  return sql<JobRow>`
  with quick as materialized (select set_config('synchronous_commit', 'off', true)),
  due as materialized (
     select j.id from quick, jobs j
      where j.run_at <= ${now} and j.parked_at is null and (j.leased_until is null or j.leased_until < ${now})
        and j.kind = any(${kinds}::text[])
        and (j.key is null or not exists (
          select from jobs k where k.key = j.key and k.id <> j.id and k.parked_at is null
             and (k.id < j.id or k.leased_until >= ${now})))
      order by j.run_at, j.id limit ${limit} for update of j skip locked)
  update jobs set lease = ${lease}::uuid, attempts = attempts + 1,
         leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
   where id in (select id from due)
  returning id, organization_id, kind, payload, attempts, every_seconds, failing_since, created_at`
}

async function runLeased(options: WorkerOptions, kinds: Map<string, Job>, row: JobRow, lease: string): Promise<void> {
  const renewal = setInterval(
    () => {
      system(options.database, renewStatement(options, row.id, lease)).catch(() => {})
    },
    (options.leaseSeconds * 1000) / 3,
  )
  try {
    const job = kinds.get(row.kind)
    if (!job) throw new PermanentFailure(`no job is called ${row.kind}`)
    // A failure is written down and parks at the limit: beyond it, the process that ran the job never got so far.
    if (row.every_seconds === null && row.attempts > MAX_ATTEMPTS)
      throw new PermanentFailure(`the process ended ${MAX_ATTEMPTS} times while it ran`)
    await runJob(options, job, row, lease)
  } catch (error) {
    if (error instanceof LeaseLost) return
    const failed = failureOf(row, error, options.clock())
    options.log.error(
      { err: error, job: row.id, kind: row.kind, attempts: row.attempts, parked: failed.parks },
      'a job failed',
    )
    await system(options.database, failStatement(row.id, lease, failed)).catch((failure: unknown) =>
      options.log.error({ err: failure, job: row.id }, 'a failed job could not be written down; its lease will end'),
    )
  } finally {
    clearInterval(renewal)
  }
}

/** The lease ended and another worker has the job: whatever this one did is rolled back. */
class LeaseLost extends Error {}

async function runJob(options: WorkerOptions, job: Job, row: JobRow, lease: string): Promise<void> {
  const now = options.clock()
  const origin: Origin = {
    caller: SYSTEM_CALLER,
    now,
    requestId: `job-${row.id}`,
    ip: null,
    consumers: options.consumers,
    settings: options.ports.settings,
  }
  const input: JobInput<unknown> = {
    id: row.id,
    payload: job.kind.read(row.payload),
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
  }
  const { work } = options
  const outside: IoContext = {
    ports: options.ports,
    now,
    requestId: origin.requestId,
    ip: null,
    caller: null,
    organizationId: row.organization_id,
    acceptLanguage: undefined,
    read: (statement) => work.read(row.organization_id, statement),
  }
  if (job.scope === 'organization') {
    const organizationId = row.organization_id ?? 0
    const seen = (await job.before?.(outside, input)) as never
    await work.inOrganization(organizationId, origin, async (ctx) => {
      await job.run?.(ctx, input, seen)
      await finish(ctx, row, lease, now)
    })
    return
  }
  const bound = boundWork(work, origin)
  const seen = (await job.before?.(outside, input, bound)) as never
  await work.asSystem(`job ${row.kind}`, origin, async (ctx) => {
    await job.run?.(ctx, input, seen)
    await finish(ctx, row, lease, now)
  })
}

function boundWork(work: Transactions, origin: Origin): BoundTransactions {
  return {
    inOrganization: (id, run) => work.inOrganization(id, origin, run),
    async inEach(rows, run) {
      const failures: unknown[] = []
      for (const row of rows)
        await work
          .inOrganization(row.organization_id, origin, (ctx) => run(ctx, row))
          .catch((error: unknown) => failures.push(error))
      if (failures.length > 0)
        throw new AggregateError(failures, `${failures.length} of ${rows.length} failed: ${String(failures[0])}`)
    },
  }
}

/** Takes the job away, or sets a periodic one to its next time, in the transaction of its effect. */
async function finish(ctx: OrganizationContext | SystemContext, row: JobRow, lease: string, now: Date): Promise<void> {
  const leased = sql`organization_id is not distinct from ${row.organization_id}::bigint and id = ${row.id} and lease = ${lease}::uuid`
  const done = await ctx.ask(
    row.every_seconds === null
      ? sql`delete from jobs where ${leased} returning id`
      : sql`update jobs set run_at = ${now}::timestamptz + make_interval(secs => every_seconds), lease = null, leased_until = null,
                   attempts = 0, last_error = null, failing_since = null where ${leased} returning id`,
  )
  if (done.length === 0) throw new LeaseLost()
}

const renewStatement = ({ clock, leaseSeconds }: WorkerOptions, id: number, lease: string): Statement => sql`
  update jobs set leased_until = ${clock()}::timestamptz + make_interval(secs => ${leaseSeconds})
   where id = ${id} and lease = ${lease}::uuid returning id`

const failStatement = (id: number, lease: string, { message, attempts, parks, next, now }: Failure): Statement => sql`
  update jobs set lease = null, leased_until = null, last_error = ${message}, run_at = ${next}, attempts = ${attempts},
         parked_at = ${parks ? now : null}::timestamptz, failing_since = coalesce(failing_since, ${now})
   where id = ${id} and lease = ${lease}::uuid returning id`

async function ensurePeriodic({ database, jobs, clock }: WorkerOptions): Promise<void> {
  for (const job of jobs) {
    if (job.scope !== 'system' || job.everySeconds === undefined) continue
    await system(
      database,
      sql`insert into jobs (kind, every_seconds, run_at) values (${job.kind.name}, ${job.everySeconds}, ${clock()})
          on conflict (kind) where every_seconds is not null do update set every_seconds = excluded.every_seconds returning id`,
    )
  }
}
