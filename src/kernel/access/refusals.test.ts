// A refusal is answered within a second even when the database does not take its entry, or the count of left out ones.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '#kernel/database/database.ts'
import { createRefusals, type Refusal } from './refusals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refusal = (): Refusal => ({
  organizationId: 1,
  caller: { kind: 'user', userId: 2, name: 'user 2' },
  callerKey: 'user 2',
  request: 'GET /quotes',
  reason: 'Not a collaborator of this organization',
  now: new Date(),
  requestId: 'a request',
  ip: null,
})

it('waits at most a second for a database that does not answer, also when a window with left out refusals ends', async () => {
  let isStalled = false
  const read = (): Promise<unknown[][]> => (isStalled ? new Promise(() => {}) : Promise.resolve([[], [{ id: 1 }]]))
  const refusals = createRefusals({
    database: { read } as unknown as Database,
    clock: () => new Date(),
    onError: () => expect.unreachable(),
  })
  for (let count = 0; count < 11; count++) await refusals.record(refusal())
  isStalled = true
  vi.setSystemTime(Date.now() + 60_000)
  let isRecorded = false
  void refusals.record(refusal()).then(() => (isRecorded = true))
  await vi.advanceTimersByTimeAsync(1000)
  expect(isRecorded).toBe(true)
})
