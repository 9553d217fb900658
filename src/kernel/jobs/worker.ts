// The worker's loop: claims due jobs (claim.ts), runs up to `concurrency` of them at once (run-job.ts), looks again on
// wake.
import { randomUUID } from 'node:crypto'
import { advanceClockJob } from './advance-clock.ts'
import { claim, periodicStatements, readAsSystem } from './claim.ts'
import type { Job } from './jobs.ts'
import { type RunOptions, runJob } from './run-job.ts'
import { outageLog } from '#kernel/values/outage-log.ts'
import { unknownKindReporter } from './unknown-kinds.ts'

type WorkerOptions = RunOptions & {
  jobs: readonly Job[]
  concurrency: number
  pollMs: number
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

/**
 * One claim in so many begins with the jobs that nobody waits for, so that they go on however many urgent ones there
 * are.
 */
const SHARE_OF_ORDINARY = 4

export function createWorker(options: WorkerOptions): Worker {
  const { database, clock, concurrency, leaseSeconds } = options
  const own = jobsByKind(options.jobs)
  const jobs = jobsByKind([...options.jobs, advanceClockJob(options, own)])
  const kinds = [...jobs.keys()]
  const urgent = [...jobs.values()].filter(({ kind }) => kind.isUrgent).map(({ kind }) => kind.name)
  const reportUnknownKinds = unknownKindReporter(
    { ...options, read: (statement) => readAsSystem(database, statement) },
    kinds,
  )
  const running = new Set<Promise<void>>()
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let claiming: Promise<number> | undefined
  let wokenMeanwhile = false
  let claims = 0
  const outages = outageLog(options.log, { failed: 'jobs could not be claimed', over: 'jobs are claimed again' })

  async function claimAndRun(): Promise<number> {
    const limit = concurrency - running.size
    if (limit <= 0) return 0
    const lease = randomUUID()
    const urgentFirst = ++claims % SHARE_OF_ORDINARY > 0
    const wanted = { store: options.store(), lease, now: clock(), leaseSeconds, kinds, limit, urgent, urgentFirst }
    const rows = await claim(database, wanted)
    for (const row of rows) {
      const task = runJob(options, { row, lease, job: jobs.get(row.kind) }).finally(() => {
        running.delete(task)
        if (!stopped) wake()
      })
      running.add(task)
    }
    await reportUnknownKinds()
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
    pull().then(outages.succeeded, outages.failed)
  }
  return {
    wake,
    async drain() {
      for (;;) {
        // oxlint-disable-next-line no-unmodified-loop-condition -- `finally` of the claim modifies it
        while (claiming) await claiming
        // The claim is skipped while all slots are busy, so that its 0 does not mean that nothing is due.
        const hadFreeSlot = running.size < concurrency
        const claimed = await pull()
        await Promise.all(running)
        if (claimed === 0 && hadFreeSlot && running.size === 0) return
      }
    },
    async start() {
      stopped = false
      for (const statement of periodicStatements(options.jobs, clock())) await readAsSystem(database, statement)
      // Not unref'd: the command `work` has no other handle that keeps the process alive while the database is away.
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

function jobsByKind(jobs: readonly Job[]): Map<string, Job> {
  const kinds = new Map<string, Job>()
  for (const job of jobs) {
    if (kinds.has(job.kind.name)) throw new Error(`two jobs are of the kind ${job.kind.name}`)
    kinds.set(job.kind.name, job)
  }
  return kinds
}
