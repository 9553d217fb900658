// Workers: a lease that ended, jobs that cannot be reached, and periodic jobs.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { probe, type WorkerScene, workerScene } from '#test/scenes/workers.ts'
import { systemJob } from './jobs.ts'
import { sql } from '#kernel/values/sql.ts'

let at: WorkerScene
beforeEach(async () => void (at = await workerScene()))
afterEach(() => at.close())

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
    await at.query(`insert into code_counters (prefix, period) values ('TEST', '2026')`)
    await at.add('effect')
    const first = at.workerOf([kind]).drain()
    await entered.promise
    at.advance(61)
    await at.workerOf([kind]).drain()
    hold.resolve()
    await first
    expect(calls).toBe(2)
    expect(await at.jobsLeft()).toEqual([])
    expect(await at.query(`select last from code_counters where prefix = 'TEST'`)).toEqual([{ last: 1 }])
  })
})

describe('a worker that cannot reach the jobs', () => {
  it('logs that once, not at every claim, and logs when it can again', async () => {
    const logged: string[] = []
    const worker = at.workerOf([], 4, logged)
    await at.query('alter table jobs rename to jobs_away')
    await worker.start()
    for (let look = 0; look < 5; look++) {
      worker.wake()
      await expect(worker.drain()).rejects.toThrow(/jobs/)
    }
    await until(() => logged.length > 0)
    expect(logged).toEqual(['jobs could not be claimed'])
    await at.query('alter table jobs_away rename to jobs')
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
    const both = [at.workerOf([kind]), at.workerOf([kind])]
    await Promise.all(both.map((one) => one.start()))
    await until(() => {
      at.advance(10)
      return runs >= 6
    })
    expect(await at.query('select kind from jobs')).toHaveLength(1)
  })
  it('runs the other rows when one fails', async () => {
    const done: number[] = []
    await at.query(`insert into organizations (id, name) select 900 + n, 'Swept' from generate_series(1, 2) n`)
    await at.query('insert into event_sequences (organization_id) select 900 + n from generate_series(1, 2) n')
    const worker = at.workerOf([
      systemJob(probe('sweep'), {
        before: (_io, _job, { inEach }) =>
          inEach([{ organization_id: 899 }, { organization_id: 901 }, { organization_id: 902 }], async (ctx) =>
            done.push(ctx.organizationId),
          ),
      }),
    ])
    await at.add('sweep')
    await worker.drain()
    expect(done).toEqual([901, 902])
    expect(await at.jobsLeft()).toMatchObject([{ attempts: 1 }])
  })
})
