// A refusal is answered though its entry cannot be written: neither its own, nor what earlier ones left to be counted.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '#kernel/database/database.ts'
import { createRefusals, type Refusal } from './refusals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refusal = (): Refusal => ({
  organizationId: 1,
  caller: { kind: 'user', userId: 2, name: 'user 2' },
  who: 'user 2',
  request: 'GET /quotes',
  reason: 'Not a collaborator of this organization',
  now: new Date(),
  requestId: 'a request',
  ip: null,
})

it('waits a second for a database that says nothing, also when a minute of counted refusals is over', async () => {
  let isSilent = false
  const read = (): Promise<unknown[][]> => (isSilent ? new Promise(() => {}) : Promise.resolve([[], [{ id: 1 }]]))
  const refusals = createRefusals({
    database: { read } as unknown as Database,
    clock: () => new Date(),
    onError: () => expect.unreachable(),
  })
  for (let count = 0; count < 11; count++) await refusals.note(refusal())
  isSilent = true
  vi.setSystemTime(Date.now() + 60_000)
  let isNoted = false
  void refusals.note(refusal()).then(() => (isNoted = true))
  await vi.advanceTimersByTimeAsync(1000)
  expect(isNoted).toBe(true)
})
