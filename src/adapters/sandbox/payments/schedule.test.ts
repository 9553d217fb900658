// Tasks for later, on fake timers: once per key, and none left after stop().
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { schedule } from './schedule.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function failing(): Promise<null> {
  return Promise.reject(new Error('disk full'))
}

describe('schedule', () => {
  it('runs a key that is planned twice once, and again until the task returns null', async () => {
    const later = schedule(() => undefined)
    later.start()
    let runs = 0
    const task = async () => (++runs < 3 ? 5 : null)
    later.plan('a', 5, task)
    later.plan('a', 5, task)
    await pass(4)
    expect(runs).toBe(0)
    await pass(1)
    expect(runs).toBe(1)
    await pass(60)
    expect(runs).toBe(3)
    later.plan('a', 5, task)
    await pass(60)
    expect(runs).toBe(4)
    await later.stop()
  })

  it('stop aborts what runs, waits for it, and starts nothing more', async () => {
    const later = schedule(() => undefined)
    later.start()
    const steps: string[] = []
    const held = Promise.withResolvers<void>()
    later.plan('running', 0, async (signal) => {
      await held.promise
      steps.push(`stopped: ${signal.aborted}`)
      return 0
    })
    later.plan('waiting', 30, async () => {
      steps.push('waited')
      return null
    })
    await pass(15)
    let isStopped = false
    const stopped = later.stop().then(() => (isStopped = true))
    await pass(60)
    expect([isStopped, steps]).toEqual([false, []])
    held.resolve()
    await stopped
    expect(steps).toEqual(['stopped: true'])
    later.plan('after', 0, async () => {
      steps.push('after')
      return null
    })
    await pass(60)
    expect(steps).toEqual(['stopped: true'])
  })

  it('reports an error, and runs the key again later', async () => {
    const faults: string[] = []
    const later = schedule((error, key) => faults.push(`${key}: ${String(error)}`))
    later.start()
    later.plan('a', 0, failing)
    await pass(0)
    later.plan('a', 0, failing)
    await pass(20)
    expect(faults).toEqual(['a: Error: disk full'])
    await pass(60_000)
    expect(faults).toHaveLength(2)
    await later.stop()
  })
})
