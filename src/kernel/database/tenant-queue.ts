// Queues the changes of each organization before they take a connection. The database runs one change of an
// organization at a time (docs/decisions/0003); waiting there would hold connections that other organizations need.
import { AppError, isLockedOut, RETRY_SECONDS } from '#kernel/values/errors.ts'

export type QueueEntry = {
  organizationId: number
  /** Callers are served in turn, so that one caller with many changes does not block the others. */
  callerKey: string
  /** With an Idempotency-Key: queued apart, so that a repeat gets its 409 while the first request still waits. */
  hasIdempotencyKey?: boolean
}

/** Call `lockAcquired` once the transaction holds the organization's lock: the next change then takes a connection. */
export type TenantLock = { lockAcquired: () => void; hasLock: () => boolean }
export type TenantQueue = <Result>(entry: QueueEntry, run: (lock: TenantLock) => Promise<Result>) => Promise<Result>

type Waiter = { start: () => void; reject: (error: AppError) => void }
type Queue = { lockWaiters: number; readonly maxLockWaiters: number; readonly waiting: Map<string, Waiter[]> }
type OrganizationQueues = { readonly withoutKey: Queue; readonly withKey: Queue }

/** Per caller and organization. */
const MAX_WAITING = 200
/** Connections that may wait for one organization's lock. */
const MAX_LOCK_WAITERS = 1
const MAX_LOCK_WAITERS_WITH_KEY = 2

export function createTenantQueue(): TenantQueue {
  const organizations = new Map<number, OrganizationQueues>()
  return async ({ organizationId, callerKey, hasIdempotencyKey = false }, run) => {
    const queues = organizations.get(organizationId) ?? newQueues()
    organizations.set(organizationId, queues)
    const queue = hasIdempotencyKey ? queues.withKey : queues.withoutKey
    await waitForStart(queue, callerKey)
    let isWaitingForLock = true
    const lockAcquired = () => {
      if (!isWaitingForLock) return
      isWaitingForLock = false
      queue.lockWaiters--
      startNext(queue)
    }
    try {
      return await run({ lockAcquired, hasLock: () => !isWaitingForLock })
    } catch (error) {
      // The wait for the lock timed out. Those behind would time out too, so all of them get 503 now.
      if (isWaitingForLock && isLockedOut(error)) for (const one of [queues.withoutKey, queues.withKey]) rejectAll(one)
      throw error
    } finally {
      lockAcquired()
      if (isEmpty(queues.withoutKey) && isEmpty(queues.withKey)) organizations.delete(organizationId)
    }
  }
}

const newQueues = (): OrganizationQueues => ({
  withoutKey: { lockWaiters: 0, maxLockWaiters: MAX_LOCK_WAITERS, waiting: new Map() },
  withKey: { lockWaiters: 0, maxLockWaiters: MAX_LOCK_WAITERS_WITH_KEY, waiting: new Map() },
})
const isEmpty = ({ lockWaiters, waiting }: Queue): boolean => lockWaiters === 0 && waiting.size === 0

/** First come, first served within each caller, round robin between callers; 503 beyond `MAX_WAITING`. */
function waitForStart(queue: Queue, callerKey: string): Promise<void> | void {
  if (queue.lockWaiters < queue.maxLockWaiters && queue.waiting.size === 0) return void queue.lockWaiters++
  const own = queue.waiting.get(callerKey) ?? []
  if (own.length >= MAX_WAITING) throw busy()
  return new Promise((resolve, reject) => {
    own.push({ start: resolve, reject })
    queue.waiting.set(callerKey, own)
  })
}

function startNext(queue: Queue): void {
  const [first] = queue.waiting
  if (first === undefined || queue.lockWaiters >= queue.maxLockWaiters) return
  const [callerKey, own] = first
  const next = own.shift()
  // Back to the end of the map, behind the other callers.
  queue.waiting.delete(callerKey)
  if (own.length > 0) queue.waiting.set(callerKey, own)
  queue.lockWaiters++
  next?.start()
}

function rejectAll({ waiting }: Queue): void {
  const all = [...waiting.values()].flat()
  waiting.clear()
  for (const { reject } of all) reject(busy())
}

const busy = (): AppError => new AppError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_SECONDS })
