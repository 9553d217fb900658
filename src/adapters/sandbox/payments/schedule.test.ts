// Work for later: once per key, and nothing left after stop().
import { describe, expect, it } from 'vitest'
import { pause } from './local-world.ts'
import { schedule } from './schedule.ts'

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
    await pause(60)
    expect(runs).toBe(3)
    later.plan('a', 5, work)
    await pause(30)
    expect(runs).toBe(4)
    await later.stop()
  })

  it('waits at stop for what runs, tells it, and starts nothing more', async () => {
    const later = schedule(() => undefined)
    later.start()
    const seen: string[] = []
    later.plan('running', 0, async (signal) => {
      await pause(40)
      seen.push(`stopped: ${signal.aborted}`)
      return 0
    })
    later.plan('waiting', 30, async () => {
      seen.push('waited')
      return null
    })
    await pause(15)
    await later.stop()
    expect(seen).toEqual(['stopped: true'])
    later.plan('after', 0, async () => {
      seen.push('after')
      return null
    })
    await pause(40)
    expect(seen).toEqual(['stopped: true'])
  })

  it('reports a fault, and keeps the key for later', async () => {
    const faults: string[] = []
    const later = schedule((error, key) => faults.push(`${key}: ${String(error)}`))
    later.start()
    later.plan('a', 0, failing)
    await pause(20)
    later.plan('a', 0, failing)
    await pause(20)
    expect(faults).toEqual(['a: Error: disk full'])
    await later.stop()
  })
})
