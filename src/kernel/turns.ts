// One change at a time per caller and organization inside this process. The database lets only one change of an
// organization go on anyway; while they wait there, each holds a connection that other organizations need. By caller, so
// that nobody can stand in the way of an organization that is not theirs.
import { AppError } from './errors.ts'

export type Turns = <Result>(who: string, work: () => Promise<Result>) => Promise<Result>

const MOST_WAITING = 200

/** In the order of coming; 503 for who comes when too many wait already. */
export function createTurns(): Turns {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>()
  return async (who, work) => {
    const line = lines.get(who) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= MOST_WAITING) throw new AppError('SERVICE_UNAVAILABLE', { retryAfter: 1 })
    lines.set(who, line)
    line.waiting++
    const mine = line.last.then(work)
    line.last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      if (--line.waiting === 0) lines.delete(who)
    }
  }
}
