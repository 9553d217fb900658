import { describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { createLongPolls } from '#http/features/long-polls.ts'

/** A database in which organization 7 has come to the event `last`. */
function databaseAt(last: number) {
  const state = { last, asked: 0, fails: false }
  const read = async (): Promise<unknown[][]> => {
    state.asked++
    if (state.fails) throw new Error('away')
    return [[{ organization_id: 7, last: state.last }]]
  }
  return { state, read }
}

const wanted = (gone = new AbortController().signal, seconds = 30) => ({
  organizationId: 7,
  callerKey: 'user 1',
  seconds,
  gone,
})

describe('a long poll', () => {
  it('goes on when there is a later event, also after failures of the database', async () => {
    const { state, read } = databaseAt(5)
    state.fails = true
    const poll = createLongPolls({ read }).enter(wanted())
    const hasMore = poll?.hasMore(5)
    await until(() => state.asked > 0)
    Object.assign(state, { fails: false, last: 6 })
    expect(await hasMore).toBe(true)
  })
  it('ends when its time is up', async () => {
    expect(await createLongPolls(databaseAt(5)).enter(wanted(undefined, 1))?.hasMore(5)).toBe(false)
  })
  it('ends when its client has gone, at once when it had gone before', async () => {
    const client = new AbortController()
    const poll = createLongPolls(databaseAt(5)).enter(wanted(client.signal))
    const hasMore = poll?.hasMore(5)
    client.abort()
    expect(await hasMore).toBe(false)
    expect(await poll?.hasMore(5)).toBe(false)
  })
  it('ends when the service stops, and no other one waits', async () => {
    const polls = createLongPolls(databaseAt(5))
    const hasMore = polls.enter(wanted())?.hasMore(5)
    polls.close()
    expect(await hasMore).toBe(false)
    expect(await polls.enter(wanted())?.hasMore(5)).toBe(false)
  })
  it('is one of five of a caller and of a thousand of all', () => {
    const polls = createLongPolls(databaseAt(5))
    const own = Array.from({ length: 6 }, () => polls.enter(wanted()))
    expect(own.map((poll) => poll !== null)).toEqual([true, true, true, true, true, false])
    own[0]?.leave()
    expect(polls.enter(wanted())).not.toBeNull()
    const others = Array.from({ length: 1000 }, (_, index) =>
      polls.enter({ ...wanted(), organizationId: index + 8, callerKey: `user ${index + 2}` }),
    )
    expect(others.filter((poll) => poll !== null).length).toBe(995)
  })
  it('is one of fifty of an organization, whoever asks, and holds up no other one', () => {
    const polls = createLongPolls(databaseAt(5))
    const enter = (index: number, organizationId: number | null = 7) =>
      polls.enter({ ...wanted(), organizationId, callerKey: `user ${index}` })
    const own = Array.from({ length: 60 }, (_, index) => enter(index))
    expect(own.filter((poll) => poll !== null)).toHaveLength(50)
    expect([enter(61, 8), enter(62, null)]).not.toContain(null)
    own[0]?.leave()
    expect([enter(63) === null, enter(64) === null]).toEqual([false, true])
  })
  it('asks once for all that wait, and never when nobody does', async () => {
    const { state, read } = databaseAt(5)
    const polls = createLongPolls({ read })
    const waiting = ['a', 'b', 'c'].map(async (callerKey) => polls.enter({ ...wanted(), callerKey })?.hasMore(5))
    await until(() => state.asked === 1)
    state.last = 6
    expect(await Promise.all(waiting)).toEqual([true, true, true])
    expect(state.asked).toBe(2)
  })
})
