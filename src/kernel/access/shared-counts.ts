// Uses in a window of time, counted for all processes without a round trip for each use: a process counts what it
// admits, and reports it to PostgreSQL at most a second later, for many keys at once (docs/operations.md).

const REPORT_MS = 1000
const KEYS_AT_ONCE = 1000
/** What a process may admit without knowing what the others have: so large a part of the limit. */
const UNREPORTED_SHARE = 20

export type CountedPolicy = { name: string; points: number; windowSeconds: number }
type Use = { isAllowed: boolean; remaining: number; msBeforeReset: number }

type CountRow = { key: string; points: string; left_ms: string }
type Query = { name: string; text: string; values: unknown[] }
export type Store = (query: Query) => Promise<{ rows: CountRow[] }>

export type SharedCounts = {
  /**
   * Counts one use. Over n processes at most `points + (n - 1) * mostUnreported(points)` are admitted in a window; one
   * process alone admits exactly `points`. Never rejects: while the store does not answer, this process counts alone.
   */
  consume(policy: CountedPolicy, key: string): Promise<Use>
  /** Reports nothing more. */
  close(): Promise<void>
}

type Options = {
  store: Store
  /** The key of a policy's key in the store. */
  storedKey: (policy: CountedPolicy, key: string) => string
  /** Called once for each time that the store is away. */
  onStoreFailure: (error: unknown) => void
  now?: () => number
}

/** `known` is the sum of all processes at the last report; `sent` is on its way, `unsent` not yet. */
type Count = { policy: CountedPolicy; key: string; endsAt: number; known: number; sent: number; unsent: number }

export const mostUnreported = (points: number): number => Math.max(1, Math.floor(points / UNREPORTED_SHARE))

export function createSharedCounts(options: Options): SharedCounts {
  const { store, storedKey, onStoreFailure, now = () => performance.now() } = options
  const counts = new Map<string, Count>()
  let unreported = new Set<Count>()
  let reporting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isAway = false
  let isClosed = false

  function countOf(policy: CountedPolicy, key: string): Count {
    const name = `${policy.name} ${key}`
    const counted = counts.get(name)
    if (counted && now() < counted.endsAt) return counted
    const fresh = { policy, key, endsAt: now() + policy.windowSeconds * 1000, known: 0, sent: 0, unsent: 0 }
    counts.set(name, fresh)
    return fresh
  }
  function report(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return (reporting ??= reportAll().finally(() => {
      reporting = undefined
      if (unreported.size > 0) reportLater()
    }))
  }
  function reportLater(): void {
    if (!isClosed) timer ??= setTimeout(() => void report(), REPORT_MS).unref()
  }
  async function reportAll(): Promise<void> {
    for (const [name, { endsAt }] of counts) if (endsAt <= now()) counts.delete(name)
    const all = [...unreported].filter(({ endsAt }) => now() < endsAt)
    unreported = new Set()
    for (let first = 0; first < all.length; first += KEYS_AT_ONCE)
      await reportSome(all.slice(first, first + KEYS_AT_ONCE))
  }
  async function reportSome(some: readonly Count[]): Promise<void> {
    const sending = new Map(some.map((count) => [storedKey(count.policy, count.key), count]))
    for (const count of some) {
      count.sent = count.unsent
      count.unsent = 0
    }
    try {
      const { rows } = await store(reportQuery(sending))
      for (const { key, points, left_ms } of rows) {
        const count = sending.get(key)
        if (!count) continue
        count.known = Number(points)
        count.endsAt = now() + Number(left_ms)
        count.sent = 0
      }
      isAway = false
    } catch (error) {
      if (!isAway) onStoreFailure(error)
      isAway = true
      for (const count of some) {
        count.unsent += count.sent
        count.sent = 0
        unreported.add(count)
      }
    }
  }
  const mustReport = (count: Count): boolean =>
    !isAway && !isClosed && leftOf(count) > 0 && count.sent + count.unsent >= mostUnreported(count.policy.points)
  return {
    async consume(policy, key) {
      let count = countOf(policy, key)
      while (mustReport(count)) {
        await report()
        count = countOf(policy, key)
      }
      const isAllowed = leftOf(count) > 0
      if (isAllowed) {
        count.unsent++
        unreported.add(count)
        // Half of what may be unreported, so that the next uses need not wait for the answer.
        if (count.unsent * 2 >= mostUnreported(policy.points) && !isAway) void report()
        else reportLater()
      }
      return { isAllowed, remaining: Math.max(leftOf(count), 0), msBeforeReset: count.endsAt - now() }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await reporting
    },
  }
}

const leftOf = ({ policy, known, sent, unsent }: Count): number => policy.points - known - sent - unsent

/** In the order of the keys, so that two processes do not wait for each other. The clock is that of the database. */
function reportQuery(sending: ReadonlyMap<string, Count>): Query {
  const all = [...sending.values()]
  return {
    name: 'rate_limits:report',
    text: `
      with clock as (select (extract(epoch from now()) * 1000)::bigint as ms)
      insert into rate_limits as stored (key, points, expire)
      select used.key, used.points, clock.ms + used.window_ms
        from clock, unnest($1::text[], $2::integer[], $3::bigint[]) used (key, points, window_ms)
       order by used.key
      on conflict (key) do update set
        points = case when stored.expire <= (extract(epoch from now()) * 1000)::bigint then excluded.points
                      else stored.points + excluded.points end,
        expire = case when stored.expire <= (extract(epoch from now()) * 1000)::bigint then excluded.expire
                      else stored.expire end
      returning key, points::text, (expire - (extract(epoch from now()) * 1000)::bigint)::text as left_ms`,
    values: [[...sending.keys()], all.map(({ sent }) => sent), all.map(({ policy }) => policy.windowSeconds * 1000)],
  }
}
