// The queue alone, without a database.
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '#kernel/values/errors.ts'
import { createTenantQueue, type QueueEntry } from './tenant-queue.ts'

const entry = (callerKey = 'ana', organizationId = 1): QueueEntry => ({ organizationId, callerKey })

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Changes that end when the test says so, and which of them have begun. */
function scene() {
  const queued = createTenantQueue()
  const begun: string[] = []
  const ends = new Map<string, { lockAcquired: () => void; end: () => void; fail: (error: unknown) => void }>()
  const change = (name: string, at: QueueEntry) =>
    queued(at, ({ lockAcquired }) => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, { lockAcquired, end: () => resolve(name), fail: reject })
      })
    })
  const of = (name: string) => {
    const found = ends.get(name)
    if (!found) throw new Error(`${name} has not begun`)
    return found
  }
  return { change, begun, of }
}

describe('the changes of one organization', () => {
  it('wait for its lock one at a time, whichever caller they are of; other organizations do not wait for them', async () => {
    const { change, begun, of } = scene()
    const all = Promise.allSettled([
      change('first', entry()),
      change('second', entry('bob')),
      change('third', entry('cem')),
    ])
    const other = change('elsewhere', entry('ana', 2))
    await settled()
    expect(begun).toEqual(['first', 'elsewhere'])
    of('first').lockAcquired()
    await settled()
    expect(begun).toEqual(['first', 'elsewhere', 'second'])
    of('first').end()
    await settled()
    expect(begun).toEqual(['first', 'elsewhere', 'second'])
    // Fails before it has the lock.
    of('second').fail(new Error('no'))
    await settled()
    expect(begun).toEqual(['first', 'elsewhere', 'second', 'third'])
    of('third').end()
    of('elsewhere').end()
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await other).toBe('elsewhere')
  })
  it('start round robin between callers, and in order of arrival within each', async () => {
    const { change, begun, of } = scene()
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
    const all = names.map((name) => change(name, entry(name[0])))
    for (let left = names.length; left > 0; left--) {
      await settled()
      of(begun.at(-1) ?? '').end()
    }
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })
  it.each([
    ['a lock', Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })],
    ['a connection', new DatabaseUnavailable('none')],
  ])('503 for all that wait when the wait for %s timed out; a later change tries again', async (_, reason) => {
    const { change, begun, of } = scene()
    const first = change('first', entry())
    const behind = [change('second', entry()), change('third', entry('bob'))]
    await settled()
    of('first').fail(reason)
    await expect(first).rejects.toBe(reason)
    for (const one of behind)
      await expect(one).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 2 } })
    const later = change('later', entry())
    await settled()
    expect(begun).toEqual(['first', 'later'])
    of('later').end()
    expect(await later).toBe('later')
  })
  it('with an Idempotency-Key have a queue of their own, two at a time: a repeat gets its 409 while the first waits', async () => {
    const { change, begun, of } = scene()
    const all = ['plain', 'other', 'k1', 'k2', 'k3'].map((name) =>
      change(name, { ...entry(), hasIdempotencyKey: name.startsWith('k') }),
    )
    await settled()
    expect(begun).toEqual(['plain', 'k1', 'k2'])
    for (let done = 0; done < all.length; done++) {
      of(begun[done] ?? '').end()
      await settled()
    }
    await Promise.all(all)
  })
  it('503 beyond 200 waiting changes of one caller', async () => {
    const { change, of, begun } = scene()
    const all = Array.from({ length: 201 }, (_, index) => change(`${index}`, entry()))
    await expect(change('one more', entry())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const bob = change('bob', entry('bob'))
    for (let done = 0; done < 202; done++) {
      of(begun[done] ?? '').end()
      await settled()
    }
    expect(await bob).toBe('bob')
    await Promise.all(all)
  })
})
