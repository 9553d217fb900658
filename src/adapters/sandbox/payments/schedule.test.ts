// Work for later: once per key, and nothing left after stop(). The timers are the test's.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { schedule } from './schedule.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function failing(): Promise<null> {
  return Promise.reject(new Error('disk full'))
}

describe('schedule', () => {
  it('runs a key that is planned twice once, and again for as long as the work says', async () => {
    const later = schedule(() => undefined)
    later.start()
    let runs = 0
    const work = async () => (++runs < 3 ? 5 : null)
    later.plan('a', 5, work)
    later.plan('a', 5, work)
    await pass(4)
    expect(runs).toBe(0)
    await pass(1)
    expect(runs).toBe(1)
    await pass(60)
    expect(runs).toBe(3)
    later.plan('a', 5, work)
    await pass(60)
    expect(runs).toBe(4)
    await later.stop()
  })

  it('waits at stop for what runs, tells it, and starts nothing more', async () => {
    const later = schedule(() => undefined)
    later.start()
    const seen: string[] = []
    const held = Promise.withResolvers<void>()
    later.plan('running', 0, async (signal) => {
      await held.promise
      seen.push(`stopped: ${signal.aborted}`)
      return 0
    })
    later.plan('waiting', 30, async () => {
      seen.push('waited')
      return null
    })
    await pass(15)
    let isStopped = false
    const stopped = later.stop().then(() => (isStopped = true))
    await pass(60)
    expect([isStopped, seen]).toEqual([false, []])
    held.resolve()
    await stopped
    expect(seen).toEqual(['stopped: true'])
    later.plan('after', 0, async () => {
      seen.push('after')
      return null
    })
    await pass(60)
    expect(seen).toEqual(['stopped: true'])
  })

  it('reports a fault, and keeps the key for later', async () => {
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
