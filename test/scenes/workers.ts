// Workers on a database of their own, with a clock that tests move, and jobs that only the test knows.
import { Type } from 'typebox'
import { cloneDatabase, loginsTo } from '#test/harness/database.ts'
import { LONG_WAITS, waitingLong } from '#test/harness/long-waits.ts'
import { openDatabase } from '#kernel/database/database.ts'
import { createTenantQueue } from '#kernel/database/tenant-queue.ts'
import { createPostgresStore } from '#kernel/data/postgres-store.ts'
import { createTransactions } from '#kernel/access/transactions.ts'
import { eventConsumers } from '#kernel/data/events.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import { createWorker, type Worker } from '#kernel/jobs/worker.ts'
import { Id } from '#kernel/values/schema.ts'

export const probe = (name: string, isUrgent = false) =>
  jobKind(`probe/${name}`, { n: Type.Optional(Id) }, { isUrgent })

export async function workerScene() {
  const { url, query, drop } = await cloneDatabase()
  const clock = { now: new Date() }
  const database = openDatabase({
    logins: () => waitingLong(loginsTo(url)),
    waits: LONG_WAITS,
    readConnections: 4,
    changeConnections: 8,
    onError: () => {},
  })
  const store = createPostgresStore()
  const workers: Worker[] = []
  return {
    query,
    clock,
    database,
    store,
    workerOf(jobs: Job[], concurrency = 4, logged: string[] = []): Worker {
      const worker = createWorker({
        database,
        store: () => store,
        transactions: createTransactions(database, createTenantQueue(), () => {}),
        jobs,
        consumers: eventConsumers([]),
        ports: { settings: {} } as never,
        clock: () => clock.now,
        concurrency,
        leaseSeconds: 60,
        pollMs: 20,
        log: {
          info: (_details, message) => void logged.push(message),
          error: (_details, message) => void logged.push(message),
        },
      })
      workers.push(worker)
      return worker
    },
    add: (kind: string, key: string | null = null, count = 1, organizationId: number | null = null) =>
      query<{ id: number }>(
        `insert into jobs (organization_id, kind, key, run_at, payload)
         select $5, $1, $2, $3, jsonb_build_object('n', n) from generate_series(1, $4::int) n returning id`,
        [`probe/${kind}`, key, clock.now, count, organizationId],
      ),
    advance: (seconds: number) => (clock.now = new Date(clock.now.getTime() + seconds * 1000)),
    jobsLeft: () =>
      query<{ kind: string; attempts: number; dead: boolean }>(
        `select substr(kind, 7) as kind, attempts, dead_at is not null as dead from jobs order by id`,
      ),
    async close() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()))
      await database.close()
      await drop()
    },
  }
}
export type WorkerScene = Awaited<ReturnType<typeof workerScene>>
