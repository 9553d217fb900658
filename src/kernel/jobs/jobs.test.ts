// The worker on the jobs table: order within a key, retries, dead letters.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { probe, type WorkerScene, workerScene } from '#test/scenes/workers.ts'
import { PermanentFailure, systemJob } from './jobs.ts'

let at: WorkerScene
beforeEach(async () => void (at = await workerScene()))
afterEach(() => at.close())

describe('a worker', () => {
  it('does not start with two jobs of one kind', () => {
    const twice = [1, 2].map(() => systemJob(probe('twice'), {}))
    expect(() => at.workerOf(twice)).toThrow('two jobs are of the kind probe/twice')
  })
  it('runs at most `concurrency` jobs at once', async () => {
    let atOnce = 0
    let most = 0
    const worker = at.workerOf([
      systemJob(probe('slow'), {
        before: async () => {
          most = Math.max(most, ++atOnce)
          await new Promise((resolve) => setTimeout(resolve, 5))
          atOnce--
        },
      }),
    ])
    await at.query('analyze jobs')
    await at.add('slow', null, 30)
    await worker.drain()
    expect(most).toBe(4)
    expect(await at.jobsLeft()).toEqual([])
  })
  it('runs each job once and keeps the order within a key, also beside another worker', async () => {
    const done: number[] = []
    const kind = systemJob(probe('ordered'), { run: async (_ctx, { payload }) => void done.push(payload.n ?? 0) })
    await at.add('ordered', 'one key', 25)
    const both = [at.workerOf([kind]), at.workerOf([kind])]
    await until(async () => {
      await Promise.all(both.map((one) => one.drain()))
      return done.length >= 25
    })
    expect(done).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
  })
  it('waits longer after each failure, makes a dead letter after ten, and runs the other jobs meanwhile', async () => {
    const done: number[] = []
    const worker = at.workerOf([
      systemJob(probe('broken'), { run: async () => Promise.reject(new Error('always')) }),
      systemJob(probe('fine'), { run: async (_ctx, { payload }) => void done.push(payload.n ?? 0) }),
    ])
    await at.add('broken', 'same key')
    await at.add('fine', null, 10)
    await worker.drain()
    expect(done).toHaveLength(10)
    expect(await at.jobsLeft()).toEqual([{ kind: 'broken', attempts: 1, dead: false }])
    at.advance(1)
    await worker.drain()
    expect(await at.jobsLeft()).toMatchObject([{ attempts: 1 }])
    for (let attempt = 2; attempt <= 10; attempt++) {
      at.advance(3600)
      await worker.drain()
      expect(await at.jobsLeft()).toEqual([{ kind: 'broken', attempts: attempt, dead: attempt === 10 }])
    }
    // A dead letter frees its key.
    await at.add('fine', 'same key')
    await worker.drain()
    expect(done).toHaveLength(11)
  })
  it('tries a postponed job less and less often, and counts its attempts after a day, until it is a dead letter', async () => {
    let runs = 0
    const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    const before = async () => (runs++, Promise.reject(lockTimeout))
    const worker = at.workerOf([systemJob(probe('postponed'), { before })])
    await at.add('postponed')
    const waits: number[] = []
    for (let seconds = 0; seconds < 86_400; seconds += waits.at(-1) ?? 0) {
      await worker.drain()
      const [row] = await at.query<{ wait: number }>(
        'select extract(epoch from run_at - $1)::float8 as wait from jobs',
        [at.clock.now],
      )
      waits.push(row?.wait ?? 0)
      at.advance(waits.at(-1) ?? 0)
    }
    expect([waits[0], waits.at(-1), Math.max(...waits)]).toEqual([2, 300, 300])
    expect(runs).toBeLessThan(400)
    expect(await at.jobsLeft()).toEqual([{ kind: 'postponed', attempts: 0, dead: false }])
    for (let attempt = 1; attempt <= 10; attempt++) {
      await worker.drain()
      at.advance(3600)
    }
    expect(await at.jobsLeft()).toEqual([{ kind: 'postponed', attempts: 10, dead: true }])
  })
  it('runs a restarted dead letter only after a younger job of its key has ended', async () => {
    const steps: string[] = []
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const worker = at.workerOf([
      systemJob(probe('younger'), {
        before: async () => {
          steps.push('younger began')
          await held
        },
        run: async () => void steps.push('younger ended'),
      }),
      systemJob(probe('older'), { run: async () => void steps.push('older') }),
    ])
    await at.add('older', 'one key')
    await at.add('younger', 'one key')
    await at.query(`update jobs set dead_at = $1 where kind = 'probe/older'`, [at.clock.now])
    const working = worker.drain()
    await until(() => steps.length > 0)
    await at.query(`update jobs set dead_at = null where kind = 'probe/older'`)
    await at.workerOf([systemJob(probe('older'), { run: async () => void steps.push('older') })]).drain()
    release?.()
    await working
    await worker.drain()
    expect(steps).toEqual(['younger began', 'younger ended', 'older'])
  })
  it('makes a dead letter of a permanent failure at once', async () => {
    const worker = at.workerOf([
      systemJob(probe('permanent'), { run: async () => Promise.reject(new PermanentFailure('no')) }),
    ])
    await at.add('permanent')
    await worker.drain()
    expect(await at.jobsLeft()).toEqual([{ kind: 'permanent', attempts: 1, dead: true }])
  })
  it('makes a dead letter of a job that ended its process ten times, instead of running it again', async () => {
    let runs = 0
    const worker = at.workerOf([systemJob(probe('deadly'), { run: async () => void runs++ })])
    await at.add('deadly', null, 2)
    await at.query(`update jobs set attempts = 10 where payload ->> 'n' = '1'`)
    await worker.drain()
    expect(runs).toBe(1)
    expect(await at.jobsLeft()).toEqual([{ kind: 'deadly', attempts: 11, dead: true }])
  })
  it('stores the error of a failed job, whatever characters it has', async () => {
    const reason = `broken\0${'🚀'.repeat(600)}`
    const worker = at.workerOf([systemJob(probe('broken'), { run: async () => Promise.reject(new Error(reason)) })])
    await at.add('broken')
    await worker.drain()
    const [job] = await at.query<{ last_error: string; failing_since: string }>('select * from jobs')
    expect(job?.last_error).toMatch(/^Error: broken\ufffd🚀+$/u)
    expect(job?.failing_since).toBe(at.clock.now.toISOString())
    at.advance(10)
    await worker.drain()
    expect(await at.query('select attempts, failing_since from jobs')).toEqual([
      { attempts: 2, failing_since: job?.failing_since },
    ])
  })
  it('leaves jobs of unknown kinds alone', async () => {
    const worker = at.workerOf([systemJob(probe('known'), {})])
    await at.add('of a newer version')
    await worker.drain()
    expect(await at.jobsLeft()).toEqual([{ kind: 'of a newer version', attempts: 0, dead: false }])
  })
})
