// Runs one claimed job: renews its lease, calls its code, and ends it or records the failure.
import type { IoContext, OrganizationContext, Ports, SystemContext } from '#kernel/data/context.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'
import { type Origin, type Transactions, SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import { testClockOf } from '#kernel/access/access-check.ts'
import type { Database } from '#kernel/database/database.ts'
import { failStatement, finishStatement, readAsSystem, renewStatement } from './claim.ts'
import type { EventConsumers } from '#kernel/data/events.ts'
import { failureOf, MAX_ATTEMPTS } from './job-failure.ts'
import { type BoundTransactions, type Job, type JobInput, type JobRow, PermanentFailure } from './jobs.ts'

export type RunOptions = {
  database: Database
  store: () => TenantStore
  transactions: Transactions
  consumers: EventConsumers
  ports: Ports
  clock: () => Date
  /** A job whose worker died is claimed by another when its lease has ended; a live worker renews it. */
  leaseSeconds: number
  log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

type ClaimedJob = { row: JobRow; lease: string; job: Job | undefined }

/** Never rejects: a failure is written to the job's row and the log. */
export async function runJob(options: RunOptions, { row, lease, job }: ClaimedJob): Promise<void> {
  const { database, clock, leaseSeconds, log } = options
  const renewal = setInterval(
    () => {
      const statement = renewStatement(row.id, { lease, now: clock(), leaseSeconds })
      readAsSystem(database, statement).catch(() => {})
    },
    (leaseSeconds * 1000) / 3,
  )
  try {
    if (!job) throw new PermanentFailure(`no job is called ${row.kind}`)
    // The failure number MAX_ATTEMPTS makes a dead letter, so a row beyond it ended its process each time.
    if (row.every_seconds === null && row.attempts > MAX_ATTEMPTS)
      throw new PermanentFailure(`the process ended ${MAX_ATTEMPTS} times while it ran`)
    await callJob(options, job, { row, lease })
  } catch (error) {
    if (error instanceof LeaseLost) return
    const failure = failureOf(row, error, clock())
    log.error(
      { err: error, job: row.id, kind: row.kind, attempts: row.attempts, dead_letter: failure.isDeadLetter },
      'a job failed',
    )
    await readAsSystem(database, failStatement(row.id, lease, failure)).catch((cause: unknown) =>
      log.error({ err: cause, job: row.id }, 'a failed job could not be written down; its lease will end'),
    )
  } finally {
    clearInterval(renewal)
  }
}

/** The lease ended and another worker has the job: whatever this one did is rolled back. */
class LeaseLost extends Error {}

type LeasedJob = { row: JobRow; lease: string }

async function callJob(options: RunOptions, job: Job, { row, lease }: LeasedJob): Promise<void> {
  const { transactions, ports, consumers } = options
  const store = options.store()
  const now = options.clock()
  const requestId = `job-${row.id}`
  const { settings } = ports
  const origin: Origin = { caller: SYSTEM_CALLER, now, requestId, ip: null, consumers, settings, store }
  const input: JobInput<unknown> = {
    id: row.id,
    payload: job.kind.read(row.payload),
    attempts: row.attempts,
    wasTried: row.attempts > 1 || row.last_error !== null,
    createdAt: new Date(row.created_at),
  }
  const io = ioContext(options, row, now)
  const finish = async (ctx: OrganizationContext | SystemContext) => {
    const done = await ctx.ask(finishStatement(row, lease, now))
    if (done.length === 0) throw new LeaseLost()
  }
  if (job.scope === 'organization') {
    const organizationId = row.organization_id ?? 0
    const prepared = (await job.before?.(io, input)) as never
    await transactions.inOrganization(organizationId, origin, async (ctx) => {
      await job.run?.(ctx, input, prepared)
      await finish(ctx)
    })
    return
  }
  const prepared = (await job.before?.(io, input, boundTransactions(transactions, origin))) as never
  await transactions.asSystem(`job ${row.kind}`, origin, async (ctx) => {
    await job.run?.(ctx, input, prepared)
    await finish(ctx)
  })
}

const ioContext = (options: RunOptions, row: JobRow, now: Date): IoContext => ({
  ports: options.ports,
  now: testClockOf(row) ?? now,
  realNow: now,
  requestId: `job-${row.id}`,
  ip: null,
  caller: null,
  organizationId: row.organization_id,
  acceptLanguage: undefined,
  store: options.store(),
  read: (statement) => options.transactions.read(row.organization_id, statement),
  within: (organizationId) => ioContext(options, { ...row, organization_id: organizationId }, now),
})

function boundTransactions(transactions: Transactions, origin: Origin): BoundTransactions {
  return {
    inOrganization: (id, run) => transactions.inOrganization(id, origin, run),
    async inEach(rows, run) {
      const failures: unknown[] = []
      for (const row of rows)
        await transactions
          .inOrganization(row.organization_id, origin, (ctx) => run(ctx, row))
          .catch((error: unknown) => failures.push(error))
      if (failures.length > 0)
        throw new AggregateError(failures, `${failures.length} of ${rows.length} failed: ${String(failures[0])}`)
    },
    asSystem: (reason, run) => transactions.asSystem(reason, origin, run),
    readingAsSystem: (reason, run) => transactions.readingAsSystem(reason, origin, run),
    snapshot: transactions.snapshot,
    as: (caller) => boundTransactions(transactions, { ...origin, caller }),
  }
}
