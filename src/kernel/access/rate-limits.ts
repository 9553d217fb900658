// Rate limits per caller and policy, over all processes: exact with a round trip for each use, or within a bound
// without one.
import ipaddr from 'ipaddr.js'
import type { Pool, QueryConfig, QueryResult } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { derive, type SecretKey } from '#kernel/keys/secrets.ts'
import { type CountedPolicy, createSharedCounts, type SharedCounts, type Store } from './shared-counts.ts'

const RATE_LIMITS_TABLE = 'rate_limits'
const STORE_TIMEOUT_MS = 1500

/** `bounded`: several processes together may admit a little more (`shared-counts.ts`). */
export type RateLimitPolicy = CountedPolicy & { precision: 'exact' | 'bounded' }

export type RateLimitVerdict = {
  policy: string
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
  windowSeconds: number
}

export type RateLimits<Name extends string> = {
  // Counts one use of the key. Never rejects: when the store fails, this process counts for itself.
  consume(policyName: Name, key: string): Promise<RateLimitVerdict>
  // Before the pool ends.
  close(): Promise<void>
}

type Settings<Policy extends RateLimitPolicy> = {
  pool: Pick<Pool, 'query'>
  secretKey: SecretKey
  policies: readonly Policy[]
  onStoreFailure: (error: unknown) => void
  storeTimeoutMs?: number
  // Milliseconds of a clock that only goes forward, for the policies within a bound.
  now?: () => number
}

type Counter = (key: string) => Promise<RateLimitVerdict>

export function createRateLimits<const Policy extends RateLimitPolicy>(
  settings: Settings<Policy>,
): RateLimits<Policy['name']> {
  const store = storeWithTimeout(settings)
  const shared = sharedCountsOf(settings)
  // All policies share the table, so only one limiter removes expired rows, every five minutes.
  const sweeper = settings.policies.find((policy) => policy.precision === 'exact')
  const counters = new Map<string, Counter>()
  for (const policy of settings.policies) {
    const isExact = policy.precision === 'exact'
    const counter = isExact ? exactCounter(policy, store, settings, policy === sweeper) : boundedCounter(policy, shared)
    counters.set(policy.name, counter)
  }
  return {
    consume(policyName, key) {
      const counter = counters.get(policyName)
      if (counter === undefined) throw new Error(`No rate limit is called ${policyName}`)
      return counter(key)
    },
    close: () => shared.close(),
  }
}

// The header fields of draft-ietf-httpapi-ratelimit-headers-11, and Retry-After when the limit is exceeded.
export function rateLimitHeaders(verdict: RateLimitVerdict): Record<string, string> {
  const { policy, limit, windowSeconds, remaining, resetSeconds, allowed } = verdict
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
  }
}

// Picks the most restrictive of several verdicts on one request (for its address, for its account).
export function tightest(first: RateLimitVerdict, ...others: RateLimitVerdict[]): RateLimitVerdict {
  return others.reduce((tight, verdict) => {
    if (tight.allowed !== verdict.allowed) return tight.allowed ? verdict : tight
    if (tight.allowed) return verdict.remaining < tight.remaining ? verdict : tight
    return verdict.resetSeconds > tight.resetSeconds ? verdict : tight
  }, first)
}

// IPv6 is counted per /64 network: one subscriber holds all addresses of it and could use another for each request.
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return `address:${address}`
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return `address:${parsed.toString()}`
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `address:${network.join(':')}::/64`
}

// Counts guesses at one account: each device that signed in before has a count of its own, all others share one.
export function accountKey(email: string, device: string | null): string {
  const account = `account:${email.trim().toLowerCase()}`
  return device === null ? account : `${account} device:${device}`
}

type RemainingPoints = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>

function verdictOf(policy: RateLimitPolicy, result: RemainingPoints, allowed: boolean): RateLimitVerdict {
  return {
    policy: policy.name,
    allowed,
    limit: policy.points,
    remaining: allowed ? result.remainingPoints : 0,
    resetSeconds: Math.max(Math.ceil(result.msBeforeNext / 1000), 1),
    windowSeconds: policy.windowSeconds,
  }
}

function boundedCounter(policy: RateLimitPolicy, shared: SharedCounts): Counter {
  return async (key) => {
    const { isAllowed, remaining, msBeforeReset } = await shared.consume(policy, key)
    return verdictOf(policy, { remainingPoints: remaining, msBeforeNext: msBeforeReset }, isAllowed)
  }
}

function exactCounter(
  policy: RateLimitPolicy,
  storeClient: object,
  { secretKey }: { secretKey: SecretKey },
  isSweeper: boolean,
): Counter {
  const { name, points, windowSeconds } = policy
  const common = { keyPrefix: name, points, duration: windowSeconds }
  const limiter = new RateLimiterPostgres({
    ...common,
    storeClient,
    storeType: 'pool',
    tableName: RATE_LIMITS_TABLE,
    tableCreated: true,
    clearExpiredByTimeout: isSweeper,
    // After the first excess a key is blocked in memory, so the rest of the window costs the database nothing.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory(common),
  })
  return (key) =>
    limiter.consume(hiddenKey(secretKey, name, key)).then(
      (result) => verdictOf(policy, result, true),
      (refusal: unknown) => {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return verdictOf(policy, refusal, false)
      },
    )
}

// Keys contain e-mail addresses. They are stored as an HMAC, so that not even a list of guessed addresses finds them.
const hiddenKey = (secretKey: SecretKey, policyName: string, key: string): string =>
  derive(secretKey, 'rate-limit', policyName, key).toString('base64url')

function sharedCountsOf(settings: Settings<RateLimitPolicy>): SharedCounts {
  const { pool, secretKey, onStoreFailure, storeTimeoutMs = STORE_TIMEOUT_MS, now } = settings
  const store: Store = (query) => within(storeTimeoutMs, pool.query(query))
  const storedKey = ({ name }: CountedPolicy, key: string) => `${name}:${hiddenKey(secretKey, name, key)}`
  return createSharedCounts({ store, storedKey, onStoreFailure, ...(now && { now }) })
}

// The library swallows errors of its store and uses `insuranceLimiter`. This wrapper reports them first, treats a store
// that hangs as failed, and parses bigint columns as numbers, whatever the pool's own parsers do.
function storeWithTimeout(settings: Settings<RateLimitPolicy>): object {
  const { pool, onStoreFailure, storeTimeoutMs = STORE_TIMEOUT_MS } = settings
  return {
    async query(query: QueryConfig): Promise<QueryResult> {
      try {
        return await within(storeTimeoutMs, pool.query({ ...query, types: { getTypeParser: () => Number } }))
      } catch (error) {
        onStoreFailure(error)
        throw error
      }
    },
  }
}

async function within<Result>(milliseconds: number, answer: Promise<Result>): Promise<Result> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`The store took more than ${milliseconds} ms`)), milliseconds)
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}
