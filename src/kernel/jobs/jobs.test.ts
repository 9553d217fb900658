// The worker on the jobs table: order within a key, retries, dead letters, leases that ended.
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, loginsTo, type TestDatabase } from '#test/harness/database.ts'
import { until } from '#test/harness/until.ts'
import { type Database, openDatabase } from '#kernel/database/database.ts'
import { eventConsumers } from './events.ts'
import { jobKind } from './job-kinds.ts'
import { PermanentFailure, type Job, systemJob } from './jobs.ts'
import { createTenantQueue } from '#kernel/database/tenant-queue.ts'
import { createWorker, type Worker } from './worker.ts'
import { sql } from '#kernel/data/sql.ts'
import { Id } from '#kernel/values/schema.ts'
import { createTransactions } from '#kernel/data/transactions.ts'

let test: TestDatabase
let database: Database
let clock: { now: Date }
const workers: Worker[] = []

beforeEach(async () => {
  test = await cloneDatabase()
  clock = { now: new Date() }
  database = openDatabase({
    logins: () => loginsTo(test.url),
    readConnections: 4,
    changeConnections: 8,
    onError: () => {},
  })
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  await database.close()
  await test.drop()
})

function workerOf(jobs: Job[], concurrency = 4, logged: string[] = []): Worker {
  const transactions = createTransactions(database, createTenantQueue(), () => {})
  const worker = createWorker({
    database,
    transactions,
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
}

const add = (kind: string, key: string | null = null, count = 1) =>
  test.query(
    `insert into jobs (kind, key, run_at, payload)
     select $1, $2, $3, jsonb_build_object('n', n) from generate_series(1, $4::int) n`,
    [`probe/${kind}`, key, clock.now, count],
  )
const advance = (seconds: number) => (clock.now = new Date(clock.now.getTime() + seconds * 1000))
const jobsLeft = () =>
  test.query<{ kind: string; attempts: number; parked: boolean }>(
    `select substr(kind, 7) as kind, attempts, parked_at is not null as parked from jobs order by id`,
  )
const probe = (name: string) => jobKind(`probe/${name}`, { n: Type.Optional(Id) })

describe('a worker', () => {
  it('does not start with two jobs of one kind', () => {
    const twice = [1, 2].map(() => systemJob(jobKind('probe/twice', {}), {}))
    expect(() => workerOf(twice)).toThrow('two jobs are of the kind probe/twice')
  })
  it('runs at most `concurrency` jobs at once', async () => {
    let atOnce = 0
    let most = 0
    const worker = workerOf([
      systemJob(probe('slow'), {
        before: async () => {
          most = Math.max(most, ++atOnce)
          await new Promise((resolve) => setTimeout(resolve, 5))
          atOnce--
        },
      }),
    ])
    await test.query('analyze jobs')
    await add('slow', null, 30)
    await worker.drain()
    expect(most).toBe(4)
    expect(await jobsLeft()).toEqual([])
  })
  it('runs each job once and keeps the order within a key, also beside another worker', async () => {
    const done: number[] = []
    const kind = systemJob(probe('ordered'), { run: async (_ctx, { payload }) => void done.push(payload.n ?? 0) })
    await add('ordered', 'one key', 25)
    const both = [workerOf([kind]), workerOf([kind])]
    await until(async () => {
      await Promise.all(both.map((one) => one.drain()))
      return done.length >= 25
    })
    expect(done).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
  })
  it('waits longer after each failure, makes a dead letter after ten, and runs the other jobs meanwhile', async () => {
    const done: number[] = []
    const worker = workerOf([
      systemJob(probe('broken'), { run: async () => Promise.reject(new Error('always')) }),
      systemJob(probe('fine'), { run: async (_ctx, { payload }) => void done.push(payload.n ?? 0) }),
    ])
    await add('broken', 'same key')
    await add('fine', null, 10)
    await worker.drain()
    expect(done).toHaveLength(10)
    expect(await jobsLeft()).toEqual([{ kind: 'broken', attempts: 1, parked: false }])
    advance(1)
    await worker.drain()
    expect(await jobsLeft()).toMatchObject([{ attempts: 1 }])
    for (let attempt = 2; attempt <= 10; attempt++) {
      advance(3600)
      await worker.drain()
      expect(await jobsLeft()).toEqual([{ kind: 'broken', attempts: attempt, parked: attempt === 10 }])
    }
    // A dead letter frees its key.
    await add('fine', 'same key')
    await worker.drain()
    expect(done).toHaveLength(11)
  })
  it('tries a postponed job less and less often, and counts its attempts after a day, until it is a dead letter', async () => {
    let runs = 0
    const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    const before = async () => (runs++, Promise.reject(lockTimeout))
    const worker = workerOf([systemJob(probe('postponed'), { before })])
    await add('postponed')
    const waits: number[] = []
    for (let seconds = 0; seconds < 86_400; seconds += waits.at(-1) ?? 0) {
      await worker.drain()
      const [row] = await test.query<{ wait: number }>(
        'select extract(epoch from run_at - $1)::float8 as wait from jobs',
        [clock.now],
      )
      waits.push(row?.wait ?? 0)
      advance(waits.at(-1) ?? 0)
    }
    expect([waits[0], waits.at(-1), Math.max(...waits)]).toEqual([2, 300, 300])
    expect(runs).toBeLessThan(400)
    expect(await jobsLeft()).toEqual([{ kind: 'postponed', attempts: 0, parked: false }])
    for (let attempt = 1; attempt <= 10; attempt++) {
      await worker.drain()
      advance(3600)
    }
    expect(await jobsLeft()).toEqual([{ kind: 'postponed', attempts: 10, parked: true }])
  })
  it('runs a restarted dead letter only after a younger job of its key has ended', async () => {
    const steps: string[] = []
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const worker = workerOf([
      systemJob(probe('younger'), {
        before: async () => {
          steps.push('younger began')
          await held
        },
        run: async () => void steps.push('younger ended'),
      }),
      systemJob(probe('older'), { run: async () => void steps.push('older') }),
    ])
    await add('older', 'one key')
    await add('younger', 'one key')
    await test.query(`update jobs set parked_at = $1 where kind = 'probe/older'`, [clock.now])
    const working = worker.drain()
    await until(() => steps.length > 0)
    await test.query(`update jobs set parked_at = null where kind = 'probe/older'`)
    await workerOf([systemJob(probe('older'), { run: async () => void steps.push('older') })]).drain()
    release?.()
    await working
    await worker.drain()
    expect(steps).toEqual(['younger began', 'younger ended', 'older'])
  })
  it('makes a dead letter of a permanent failure at once', async () => {
    const worker = workerOf([
      systemJob(probe('permanent'), { run: async () => Promise.reject(new PermanentFailure('no')) }),
    ])
    await add('permanent')
    await worker.drain()
    expect(await jobsLeft()).toEqual([{ kind: 'permanent', attempts: 1, parked: true }])
  })
  it('makes a dead letter of a job that ended its process ten times, instead of running it again', async () => {
    let runs = 0
    const worker = workerOf([systemJob(probe('deadly'), { run: async () => void runs++ })])
    await add('deadly', null, 2)
    await test.query(`update jobs set attempts = 10 where payload ->> 'n' = '1'`)
    await worker.drain()
    expect(runs).toBe(1)
    expect(await jobsLeft()).toEqual([{ kind: 'deadly', attempts: 11, parked: true }])
  })
  it('stores the error of a failed job, whatever characters it has', async () => {
    const reason = `broken\0${'🚀'.repeat(600)}`
    const worker = workerOf([systemJob(probe('broken'), { run: async () => Promise.reject(new Error(reason)) })])
    await add('broken')
    await worker.drain()
    const [job] = await test.query<{ last_error: string; failing_since: string }>('select * from jobs')
    expect(job?.last_error).toMatch(/^Error: broken\ufffd🚀+$/u)
    expect(job?.failing_since).toBe(clock.now.toISOString())
    advance(10)
    await worker.drain()
    expect(await test.query('select attempts, failing_since from jobs')).toEqual([
      { attempts: 2, failing_since: job?.failing_since },
    ])
  })
  it('leaves jobs of unknown kinds alone', async () => {
    const worker = workerOf([systemJob(probe('known'), {})])
    await add('of a newer version')
    await worker.drain()
    expect(await jobsLeft()).toEqual([{ kind: 'of a newer version', attempts: 0, parked: false }])
  })
})

describe('a lease', () => {
  it('that ended while its worker still ran gives the job to another, and the first one’s effect is rolled back', async () => {
    let calls = 0
    const hold = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const kind = systemJob(probe('effect'), {
      before: async () => {
        if (++calls > 1) return
        entered.resolve()
        await hold.promise
      },
      run: async (ctx) => {
        await ctx.ask(sql`update code_counters set last = last + 1 where prefix = 'TEST'`)
      },
    })
    await test.query(`insert into code_counters (prefix, period) values ('TEST', '2026')`)
    await add('effect')
    const first = workerOf([kind]).drain()
    await entered.promise
    advance(61)
    await workerOf([kind]).drain()
    hold.resolve()
    await first
    expect(calls).toBe(2)
    expect(await jobsLeft()).toEqual([])
    expect(await test.query(`select last from code_counters where prefix = 'TEST'`)).toEqual([{ last: 1 }])
  })
})

describe('a worker that cannot reach the jobs', () => {
  it('logs that once, not at every claim, and logs when it can again', async () => {
    const logged: string[] = []
    const worker = workerOf([], 4, logged)
    await test.query('alter table jobs rename to jobs_away')
    await worker.start()
    for (let look = 0; look < 5; look++) {
      worker.wake()
      await expect(worker.drain()).rejects.toThrow(/jobs/)
    }
    await until(() => logged.length > 0)
    expect(logged).toEqual(['jobs could not be claimed'])
    await test.query('alter table jobs_away rename to jobs')
    await until(() => logged.length > 1)
    expect(logged).toEqual(['jobs could not be claimed', 'jobs are claimed again'])
  })
})

describe('a periodic job', () => {
  it('has one row for two processes, and runs again after a failure', async () => {
    let runs = 0
    const kind = systemJob(probe('sweep'), {
      everySeconds: 60,
      run: async () => {
        if (++runs % 2 === 1) throw new Error('every other time')
      },
    })
    const both = [workerOf([kind]), workerOf([kind])]
    await Promise.all(both.map((one) => one.start()))
    await until(() => {
      advance(10)
      return runs >= 6
    })
    expect(await test.query('select kind from jobs')).toHaveLength(1)
  })
  it('runs the other rows when one fails', async () => {
    const done: number[] = []
    await test.query(`insert into organizations (id, name) select 900 + n, 'Swept' from generate_series(1, 2) n`)
    await test.query('insert into event_sequences (organization_id) select 900 + n from generate_series(1, 2) n')
    const worker = workerOf([
      systemJob(probe('sweep'), {
        before: (_io, _job, { inEach }) =>
          inEach([{ organization_id: 899 }, { organization_id: 901 }, { organization_id: 902 }], async (ctx) =>
            done.push(ctx.organizationId),
          ),
      }),
    ])
    await add('sweep')
    await worker.drain()
    expect(done).toEqual([901, 902])
    expect(await jobsLeft()).toMatchObject([{ attempts: 1 }])
  })
})
