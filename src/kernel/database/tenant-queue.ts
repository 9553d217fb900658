// Where the changes of one organization wait for each other, before they take a connection. The database lets only one
// of them go on anyway; if they all waited there, each would hold a connection that other organizations need.
import { AppError, isLockedOut, RETRY_SECONDS } from '#kernel/http/errors.ts'

export type Seat = {
  organizationId: number
  /** Whose request: callers take turns, so that nobody stands in the way of an organization that is not theirs. */
  who: string
  /** It brings an Idempotency-Key: a repeat is to be told at once that the first still waits for its turn. */
  isKeyed?: boolean
}

/** `arrive` is called once the organization's lock is one's own: the next may then take a connection to wait for it. */
export type Turn = { arrive: () => void; hasArrived: () => boolean }
export type TenantQueue = <Result>(seat: Seat, work: (turn: Turn) => Promise<Result>) => Promise<Result>

type Waiter = { start: () => void; refuse: (error: AppError) => void }
type Queue = { opening: number; readonly most: number; readonly waiting: Map<string, Waiter[]> }
type Line = { readonly plain: Queue; readonly keyed: Queue }

/** Of one caller in one organization. */
const MOST_WAITING = 200
/** Connections that wait for one organization's lock. */
const MOST_OPENING = 1
const MOST_OPENING_KEYED = 2

export function createTenantQueue(): TenantQueue {
  const lines = new Map<number, Line>()
  return async ({ organizationId, who, isKeyed = false }, work) => {
    const line = lines.get(organizationId) ?? { plain: queueOf(MOST_OPENING), keyed: queueOf(MOST_OPENING_KEYED) }
    lines.set(organizationId, line)
    const queue = isKeyed ? line.keyed : line.plain
    await turnIn(queue, who)
    let isOpening = true
    const arrive = () => {
      if (!isOpening) return
      isOpening = false
      queue.opening--
      startNext(queue)
    }
    try {
      return await work({ arrive, hasArrived: () => !isOpening })
    } catch (error) {
      // It waited for the lock in vain, and so would those behind it: nobody waits longer than one does.
      if (isOpening && isLockedOut(error)) for (const one of [line.plain, line.keyed]) refuseAll(one)
      throw error
    } finally {
      arrive()
      if (isEmpty(line.plain) && isEmpty(line.keyed)) lines.delete(organizationId)
    }
  }
}

const queueOf = (most: number): Queue => ({ opening: 0, most, waiting: new Map() })
const isEmpty = ({ opening, waiting }: Queue): boolean => opening === 0 && waiting.size === 0

/** In the order of coming, the callers in turn; 503 for who has too many waiting already. */
function turnIn(queue: Queue, who: string): Promise<void> | void {
  if (queue.opening < queue.most && queue.waiting.size === 0) return void queue.opening++
  const own = queue.waiting.get(who) ?? []
  if (own.length >= MOST_WAITING) throw busy()
  return new Promise((resolve, reject) => {
    own.push({ start: resolve, refuse: reject })
    queue.waiting.set(who, own)
  })
}

function startNext(queue: Queue): void {
  const [first] = queue.waiting
  if (first === undefined || queue.opening >= queue.most) return
  const [who, own] = first
  const next = own.shift()
  // To the end: the other callers come before this one's next.
  queue.waiting.delete(who)
  if (own.length > 0) queue.waiting.set(who, own)
  queue.opening++
  next?.start()
}

function refuseAll({ waiting }: Queue): void {
  const all = [...waiting.values()].flat()
  waiting.clear()
  for (const { refuse } of all) refuse(busy())
}

const busy = (): AppError => new AppError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_SECONDS })
