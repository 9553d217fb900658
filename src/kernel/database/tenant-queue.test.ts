// Who waits for whom before a connection is taken, without a database.
import { describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '#kernel/http/errors.ts'
import { createTenantQueue, type Seat } from './tenant-queue.ts'

const seat = (who = 'ana', organizationId = 1): Seat => ({ organizationId, who })

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Works that end when they are told to, and which of them have begun. */
function stage() {
  const turns = createTenantQueue()
  const begun: string[] = []
  const ends = new Map<string, { arrive: () => void; end: () => void; fail: (error: unknown) => void }>()
  const enter = (name: string, at: Seat) =>
    turns(at, ({ arrive }) => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, { arrive, end: () => resolve(name), fail: reject })
      })
    })
  const of = (name: string) => {
    const found = ends.get(name)
    if (!found) throw new Error(`${name} has not begun`)
    return found
  }
  return { enter, begun, of }
}

describe('the changes of one organization', () => {
  it('wait for its lock one at a time, whoever asks; another organization’s do not wait for them', async () => {
    const { enter, begun, of } = stage()
    const all = Promise.allSettled([enter('first', seat()), enter('second', seat('bob')), enter('third', seat('cem'))])
    const other = enter('elsewhere', seat('ana', 2))
    await settled()
    expect(begun).toEqual(['first', 'elsewhere'])
    of('first').arrive()
    await settled()
    expect(begun).toEqual(['first', 'elsewhere', 'second'])
    of('first').end()
    await settled()
    expect(begun).toEqual(['first', 'elsewhere', 'second'])
    // Refused before it had the lock.
    of('second').fail(new Error('no'))
    await settled()
    expect(begun).toEqual(['first', 'elsewhere', 'second', 'third'])
    of('third').end()
    of('elsewhere').end()
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await other).toBe('elsewhere')
  })
  it('come from each caller in turn, in the order of each', async () => {
    const { enter, begun, of } = stage()
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
    const all = names.map((name) => enter(name, seat(name[0])))
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
  ])('are all answered 503 when one has waited for %s in vain, and the next one tries again', async (_, reason) => {
    const { enter, begun, of } = stage()
    const first = enter('first', seat())
    const behind = [enter('second', seat()), enter('third', seat('bob'))]
    await settled()
    of('first').fail(reason)
    await expect(first).rejects.toBe(reason)
    for (const one of behind)
      await expect(one).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 2 } })
    const later = enter('later', seat())
    await settled()
    expect(begun).toEqual(['first', 'later'])
    of('later').end()
    expect(await later).toBe('later')
  })
  it('with a key go beside the others, two at a time: a repeat learns that the first still waits', async () => {
    const { enter, begun, of } = stage()
    const all = ['plain', 'other', 'k1', 'k2', 'k3'].map((name) =>
      enter(name, { ...seat(), isKeyed: name.startsWith('k') }),
    )
    await settled()
    expect(begun).toEqual(['plain', 'k1', 'k2'])
    for (let done = 0; done < all.length; done++) {
      of(begun[done] ?? '').end()
      await settled()
    }
    await Promise.all(all)
  })
  it('are at most 200 of one caller', async () => {
    const { enter, of, begun } = stage()
    const all = Array.from({ length: 201 }, (_, index) => enter(`${index}`, seat()))
    await expect(enter('one more', seat())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const bob = enter('bob', seat('bob'))
    for (let done = 0; done < 202; done++) {
      of(begun[done] ?? '').end()
      await settled()
    }
    expect(await bob).toBe('bob')
    await Promise.all(all)
  })
})
