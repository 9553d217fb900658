import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { THROWAWAY, startEmbedded, type EmbeddedServer } from '../../postgres/embedded.ts'
import {
  accountKey,
  addressKey,
  createRateLimits,
  rateLimitHeaders,
  tightest,
  type RateLimitPolicy,
} from './rate-limits.ts'

const secretKey = 'a secret key of more than thirty-two bytes'
const policies = [
  { name: 'login', points: 10, windowSeconds: 60, precision: 'exact' },
  { name: 'register', points: 2, windowSeconds: 60, precision: 'exact' },
] as const
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let dataDir: string
let server: EmbeddedServer
let pools: Pool[]
let pool: Pool
const onStoreFailure = vi.fn<(error: unknown) => void>()

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rate-limits-'))
  server = await startEmbedded({ dataDir, log: silent, settings: THROWAWAY })
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  pools = []
  pool = connect()
  onStoreFailure.mockReset()
  await pool.query('drop table if exists rate_limits')
  await pool.query(
    'create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)',
  )
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(pools.map((each) => each.end()))
})

describe('an exact policy', () => {
  it('counts 200 parallel tries as 200, and lets exactly its points pass', async () => {
    const limits = create()
    const verdicts = await consumeMany(limits, 200)
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10)
    const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await storedPoints()).toEqual([200])
    expect(onStoreFailure).not.toHaveBeenCalled()
  })

  it('lets parallel tries within the limit pass', async () => {
    const verdicts = await consumeMany(create(), 10)
    expect(verdicts.every(({ allowed }) => allowed)).toBe(true)
  })

  it('counts once for all processes', async () => {
    const [here, there] = [create(), create(connect())]
    const verdicts = await Promise.all([consumeMany(here, 8), consumeMany(there, 8)])
    expect(verdicts.flat().filter(({ allowed }) => allowed)).toHaveLength(10)
  })

  it('does not query the database after the first refusal, until the window ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const limits = create()
    await consumeMany(limits, 11)
    const query = vi.spyOn(pool, 'query')
    vi.advanceTimersByTime(30_000)
    expect(await limits.consume('login', 'account:ana')).toMatchObject({
      allowed: false,
      remaining: 0,
      resetSeconds: 30,
    })
    expect(query).not.toHaveBeenCalled()
    expect(await limits.consume('login', 'account:rui')).toMatchObject({ allowed: true, remaining: 9 })
    expect(query).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(31_000)
    expect(await limits.consume('login', 'account:ana')).toMatchObject({
      allowed: true,
      remaining: 9,
      resetSeconds: 60,
    })
  })

  it('keeps policies apart and stores no e-mail address in the clear', async () => {
    const limits = create()
    await limits.consume('login', accountKey('ana@example.com', null))
    await limits.consume('register', accountKey('ana@example.com', null))
    const { rows } = await pool.query<{ key: string }>('select key from rate_limits order by key')
    expect(rows.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^login:[\w-]{43}$/),
      expect.stringMatching(/^register:[\w-]{43}$/),
    ])
    expect(new Set(rows.map(({ key }) => key.split(':')[1])).size).toBe(2)
    expect(await limits.consume('login', 'x'.repeat(5000))).toMatchObject({ allowed: true })
    expect(onStoreFailure).not.toHaveBeenCalled()
  })

  it('reads bigint columns as numbers, whatever the pool’s parsers do', async () => {
    // The first try is in the store only. The count in memory, which would hide a failure, would start with nine left.
    await create().consume('login', 'account:ana')
    for (const [index, parse] of [Number, BigInt, String].entries()) {
      const limits = create(connect({ types: { getTypeParser: () => parse } }))
      const verdict = await limits.consume('login', 'account:ana')
      expect(verdict).toMatchObject({ allowed: true, remaining: 8 - index, resetSeconds: 60 })
    }
    expect(onStoreFailure).not.toHaveBeenCalled()
  })
})

describe('when the store fails', () => {
  it('counts in this process, reports the error, and never throws', async () => {
    const closed = connect({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
    const verdicts = await consumeMany(create(closed), 15)
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10)
    expect(onStoreFailure).toHaveBeenCalledTimes(15)
    expect(onStoreFailure).toHaveBeenCalledWith(expect.objectContaining({ code: 'ECONNREFUSED' }))
  })

  it('does so when the table is missing, and counts in the store again once it is back', async () => {
    const limits = create()
    await pool.query('alter table rate_limits rename to elsewhere')
    expect(await limits.consume('login', 'account:ana')).toMatchObject({ allowed: true, remaining: 9 })
    expect(onStoreFailure).toHaveBeenCalledWith(expect.objectContaining({ code: '42P01' }))
    await pool.query('alter table elsewhere rename to rate_limits')
    await limits.consume('login', 'account:ana')
    expect(await storedPoints()).toEqual([1])
  })

  it('does not wait for a store that hangs', async () => {
    const narrow = connect({ max: 1 })
    const held = await narrow.connect()
    const verdict = await create(narrow, 50).consume('login', 'account:ana')
    held.release()
    expect(verdict).toMatchObject({ allowed: true, remaining: 9 })
    expect(onStoreFailure).toHaveBeenCalledWith(new Error('The store took more than 50 ms'))
  })
})

describe('consume', () => {
  it('throws for a policy that is not declared', () => {
    const limits = createRateLimits<RateLimitPolicy>({ pool, secretKey, onStoreFailure, policies: [] })
    expect(() => limits.consume('other', 'x')).toThrow('No rate limit is called other')
  })
})

describe('rateLimitHeaders', () => {
  const verdict = { policy: 'login', allowed: true, limit: 10, remaining: 9, resetSeconds: 60, windowSeconds: 60 }

  it('gives the two fields of the draft', () => {
    expect(rateLimitHeaders(verdict)).toStrictEqual({
      'RateLimit-Policy': '"login";q=10;w=60',
      RateLimit: '"login";r=9;t=60',
    })
  })

  it('adds Retry-After in whole seconds when the limit is exceeded', () => {
    expect(rateLimitHeaders({ ...verdict, allowed: false, remaining: 0, resetSeconds: 41 })).toStrictEqual({
      'RateLimit-Policy': '"login";q=10;w=60',
      RateLimit: '"login";r=0;t=41',
      'Retry-After': '41',
    })
  })
})

describe('tightest', () => {
  const verdict = { policy: 'login', allowed: true, limit: 10, remaining: 9, resetSeconds: 60, windowSeconds: 60 }

  it('prefers a refusal, the longest of several, else the one with the least left', () => {
    const nearly = { ...verdict, remaining: 1 }
    const refused = { ...verdict, allowed: false, remaining: 0, resetSeconds: 5 }
    const longer = { ...refused, resetSeconds: 50 }
    expect(tightest(verdict)).toBe(verdict)
    expect(tightest(verdict, nearly)).toBe(nearly)
    expect(tightest(nearly, refused, verdict)).toBe(refused)
    expect(tightest(refused, longer, nearly)).toBe(longer)
  })
})

describe('keys', () => {
  it('are one for an IPv4 address in each of its forms', () => {
    expect(addressKey('203.0.113.9')).toBe('address:203.0.113.9')
    expect(addressKey('::ffff:203.0.113.9')).toBe('address:203.0.113.9')
    expect(addressKey('203.0.113.10')).not.toBe(addressKey('203.0.113.9'))
  })

  it('are one for a whole /64 of IPv6', () => {
    expect(addressKey('2001:db8:1:2::1')).toBe('address:2001:db8:1:2::/64')
    expect(addressKey('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(addressKey('2001:db8:1:2::1'))
    expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'))
  })

  it('are one for an e-mail address in any case', () => {
    expect(accountKey(' Ana@Example.COM ', null)).toBe(accountKey('ana@example.com', null))
  })
})

function connect(config: PoolConfig = {}): Pool {
  const made = new Pool({ connectionString: server.url, max: 8, ...config })
  made.on('error', () => undefined)
  pools.push(made)
  return made
}

function create(on: Pool = pool, storeTimeoutMs = 5000) {
  return createRateLimits({ pool: on, secretKey, policies, onStoreFailure, storeTimeoutMs })
}

function consumeMany(limits: ReturnType<typeof create>, count: number) {
  return Promise.all(Array.from({ length: count }, () => limits.consume('login', 'account:ana')))
}

async function storedPoints(): Promise<number[]> {
  const { rows } = await pool.query<{ points: number }>('select points from rate_limits')
  return rows.map(({ points }) => points)
}
