// Advances the test clock of an organization: from moment to moment, in their order, up to the time that staff have
// set. At each moment it runs the sweeps over the organization's rows, then its jobs, until nothing more is due. What
// it has done is in the rows themselves, so that it goes on where it stopped, in this process or another
// (docs/decisions/0062).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IoContext } from '#kernel/data/context.ts'
import { type TestClockRow, testClocks } from '#kernel/data/test-clocks.ts'
import { isPostponed } from '#kernel/values/errors.ts'
import { Id } from '#kernel/values/schema.ts'
import { cut, storable } from '#kernel/values/text/text.ts'
import { claimIn } from './claim.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type BoundTransactions, enqueue, type Job, systemJob } from './jobs.ts'
import { type RunOptions, runJob } from './run-job.ts'
import { type Due, dueIn, nextMoment, type Sweep } from './sweep.ts'

export const advanceClock = jobKind('test-clocks/advance', { organization_id: Id })

/**
 * After so long the job ends and is enqueued anew, so that neither a stopping process nor other jobs wait for all of
 * it.
 */
const SLICE_MS = 1000
const LOOK_AGAIN_MS = 20
/** The attempt of a job after which the advance stops. */
const MOST_TRIES = 3
/** A row that is due again after it was settled so many times would never let the time pass. */
const MOST_TIMES_DUE = 3

/** Why the time cannot pass: staff see it, and start the advance again. */
class Stopped extends Error {}

type Run = {
  options: RunOptions
  jobs: ReadonlyMap<string, Job>
  io: IoContext
  transactions: BoundTransactions
  organizationId: number
  /** How often each row was due at this moment. */
  timesDue: Map<string, number>
}

/** Seconds until it has to go on; null when it is over. */
type Rest = number | null

export const advanceClockJob = (options: RunOptions, jobs: ReadonlyMap<string, Job>): Job =>
  systemJob(advanceClock, {
    before: async (io, { payload: { organization_id: organizationId } }, transactions): Promise<Rest> => {
      const run = { options, jobs, io, transactions, organizationId, timesDue: new Map<string, number>() }
      try {
        return await advance(run)
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        await io.read(testClocks.end(organizationId, cut(storable(error.message), 1000), options.clock()))
        return null
      }
    },
    run: async (ctx, { payload }, rest) => {
      if (rest !== null) await enqueue(ctx, advanceClock, payload, { afterSeconds: rest })
    },
  })

async function advance(run: Run): Promise<Rest> {
  const { io, organizationId, options } = run
  for (const began = performance.now(); performance.now() - began < SLICE_MS;) {
    const [clock] = await io.read(testClocks.of(organizationId))
    if (!clock || clock.advancing_to === null) return null
    const wait = await runJobs(run)
    if (wait > 0) return wait
    if (await runSweeps(run, new Date(clock.now))) continue
    const next = await nextOf(run, clock)
    if (next === null) {
      await io.read(testClocks.end(organizationId, null, options.clock()))
      return null
    }
    await io.read(testClocks.move(organizationId, { from: clock.now, to: next, now: options.clock() }))
    run.timesDue.clear()
  }
  return 0
}

/** Runs the organization's due jobs one after another. Gives the seconds until one that failed is tried again. */
async function runJobs({ options, jobs, io, organizationId }: Run): Promise<number> {
  const { database, clock, leaseSeconds } = options
  const kinds = [...jobs.keys()]
  for (;;) {
    const lease = randomUUID()
    const wanted = { store: options.store(), lease, now: clock(), leaseSeconds, kinds, limit: 1 }
    const [row] = await claimIn(database, organizationId, wanted)
    if (row) {
      await runJob(options, { row, lease, job: jobs.get(row.kind) })
      continue
    }
    const [left] = await io.read(testClocks.unsettled(organizationId, { now: clock(), tries: MOST_TRIES }))
    if (!left) return 0
    if (left.has_failed) throw new Stopped(`the job ${left.kind} failed: ${left.last_error}`)
    if (!left.is_running) return Math.max(0.05, (Date.parse(left.next_try_at) - clock().getTime()) / 1000)
    // Another worker has it.
    await sleep(LOOK_AGAIN_MS)
  }
}

/** The rows of the first sweep that finds any; false when nothing is due. */
async function runSweeps(run: Run, now: Date): Promise<boolean> {
  const { io, transactions, organizationId } = run
  const time = { now, settings: io.ports.settings }
  const all = sweepsOf(run.jobs)
  const found = await Promise.all(all.map(({ sweep }) => io.read(dueIn(organizationId, sweep.due(time)))))
  const first = found.findIndex((rows) => rows.length > 0)
  const [rows, of] = [found[first], all[first]]
  if (!rows || !of) return false
  for (const { id } of rows) countDue(run.timesDue, of.name, id)
  try {
    await transactions.inEach<Due>(rows, (ctx, row) => of.sweep.act(ctx, row))
  } catch (error) {
    const causes: unknown[] = error instanceof AggregateError ? error.errors : [error]
    if (causes.some(isPostponed)) throw error
    throw new Stopped(`${of.name}: ${String(causes[0])}`)
  }
  return true
}

function countDue(timesDue: Map<string, number>, name: string, id: number): void {
  const times = (timesDue.get(`${name} ${id}`) ?? 0) + 1
  timesDue.set(`${name} ${id}`, times)
  if (times > MOST_TIMES_DUE) throw new Stopped(`${name}: the row ${id} stays due after it was settled`)
}

/** The next moment at which something is due, at the latest the one that is advanced to; null when that is reached. */
async function nextOf({ io, jobs, organizationId }: Run, clock: TestClockRow): Promise<Date | null> {
  const [now, until] = [new Date(clock.now), new Date(clock.advancing_to ?? clock.now)]
  if (now >= until) return null
  const time = { now, until, settings: io.ports.settings }
  const moments = await Promise.all([
    io.read(testClocks.nextJob(organizationId)),
    ...sweepsOf(jobs).map(({ sweep }) => io.read(nextMoment(organizationId, sweep, time))),
  ])
  const times = moments.flatMap(([first]) => (first?.at ? [Date.parse(first.at)] : []))
  return new Date(Math.min(until.getTime(), ...times))
}

const sweepsOf = (jobs: ReadonlyMap<string, Job>): { name: string; sweep: Sweep }[] =>
  [...jobs.values()].flatMap((job) =>
    job.scope === 'system' && job.sweep ? { name: job.kind.name, sweep: job.sweep } : [],
  )
