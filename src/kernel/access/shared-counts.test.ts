import { Pool, type QueryConfig } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cloneDatabase, somebodyWaits, type TestDatabase } from '#test/harness/database.ts'
import { until } from '#test/harness/until.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { mostUnreported } from './shared-counts.ts'

const policies = [
  { name: 'requests', points: 200, windowSeconds: 60, precision: 'bounded' },
  { name: 'few', points: 3, windowSeconds: 60, precision: 'bounded' },
] as const
type Name = (typeof policies)[number]['name']
const most = mostUnreported(200)

let database: TestDatabase
let ms: number
let started: { limits: RateLimits<Name>; pool: Pool }[]
const onStoreFailure = vi.fn<(error: unknown) => void>()

beforeAll(async () => void (database = await cloneDatabase()))
afterAll(() => database.drop())
beforeEach(async () => {
  ms = 0
  started = []
  onStoreFailure.mockReset()
  await database.query('truncate rate_limits')
})
afterEach(async () => {
  for (const { limits, pool } of started) {
    await limits.close()
    await pool.end()
  }
})

/** The limits of one process. */
function processOf(url = database.url, storeTimeoutMs = 60_000) {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  const query = vi.spyOn(pool, 'query')
  const secretKey = 'a secret key of more than thirty-two bytes'
  const limits = createRateLimits({ pool, secretKey, policies, onStoreFailure, storeTimeoutMs, now: () => ms })
  started.push({ limits, pool })
  const use = (key = 'user 7', policy: Name = 'requests') => limits.consume(policy, key)
  const uses = (count: number, key?: string) => Promise.all(Array.from({ length: count }, () => use(key)))
  return { use, uses, query, pool, limits }
}
const admitted = (verdicts: readonly { allowed: boolean }[]) => verdicts.filter(({ allowed }) => allowed).length
const stored = async () =>
  (await database.query<{ points: number }>('select points from rate_limits')).map(({ points }) => points)

describe('one process', () => {
  it('admits exactly the limit in a window, and starts again in the next', async () => {
    const one = processOf()
    expect(await one.use()).toStrictEqual({
      policy: 'requests',
      allowed: true,
      limit: 200,
      remaining: 199,
      resetSeconds: 60,
      windowSeconds: 60,
    })
    expect(admitted(await one.uses(500))).toBe(199)
    expect(await one.use()).toMatchObject({ allowed: false, remaining: 0, limit: 200 })
    expect(await one.use('user 8')).toMatchObject({ allowed: true, remaining: 199 })
    await database.query('update rate_limits set expire = 0')
    ms += 60_000
    expect(await one.use()).toMatchObject({ allowed: true, remaining: 199, resetSeconds: 60 })
  })

  it('admits exactly the limit also where that is a few', async () => {
    const one = processOf()
    const verdicts = await Promise.all([1, 2, 3, 4, 5].map(() => one.use('user 7', 'few')))
    expect(admitted(verdicts)).toBe(3)
  })

  it('waits for an answer of the database only when more is unreported than may be', async () => {
    const one = processOf()
    const held = Promise.withResolvers<void>()
    const { query, pool } = one
    query.mockImplementation((async (config: QueryConfig) => {
      await held.promise
      query.mockRestore()
      return pool.query(config)
    }) as never)
    expect(admitted(await one.uses(most))).toBe(most)
    expect(query).toHaveBeenCalledTimes(1)
    let isAnswered = false
    const next = one.use().then((verdict) => ((isAnswered = true), verdict))
    await new Promise(setImmediate)
    expect(isAnswered).toBe(false)
    held.resolve()
    expect(await next).toMatchObject({ allowed: true, remaining: 200 - most - 1 })
  })

  it('reports many keys with one statement, by their digests', async () => {
    const one = processOf()
    await Promise.all(Array.from({ length: 300 }, (_, user) => one.use(`user ${user}`)))
    expect(one.query).not.toHaveBeenCalled()
    await until(stored, (points) => points.length === 300)
    expect(one.query).toHaveBeenCalledTimes(1)
    const [row] = await database.query<{ key: string }>('select key from rate_limits limit 1')
    expect(row?.key).toMatch(/^requests:[\w-]{43}$/)
  })

  it('asks the database nothing for a caller whom it refuses', async () => {
    const one = processOf()
    await one.uses(201)
    await until(stored, ([points]) => points === 200)
    one.query.mockClear()
    ms += 30_000
    expect(await one.uses(50)).toContainEqual(expect.objectContaining({ allowed: false, remaining: 0 }))
    expect(one.query).not.toHaveBeenCalled()
  })
})

describe('several processes', () => {
  it('together admit at most the limit and what all but one may leave unreported', async () => {
    const all = [processOf(), processOf(), processOf()]
    const verdicts = (await Promise.all(all.map((one) => one.uses(400)))).flat()
    expect(admitted(verdicts)).toBeGreaterThanOrEqual(200)
    expect(admitted(verdicts)).toBeLessThanOrEqual(200 + 2 * most)
    const after = (await Promise.all(all.map((one) => one.uses(most)))).flat()
    expect(admitted([...verdicts, ...after])).toBeLessThanOrEqual(200 + 2 * most)
  })

  it('learn what the others have admitted, and when the window of the first ends', async () => {
    const [here, there] = [processOf(), processOf()]
    await here.uses(150)
    await until(stored, ([points]) => points === 150)
    await database.query('update rate_limits set expire = expire - 20000')
    expect(await there.use()).toMatchObject({ remaining: 199, resetSeconds: 60 })
    const { remaining } = await until(
      () => there.use(),
      ({ resetSeconds }) => resetSeconds <= 40,
    )
    expect(remaining).toBeLessThan(50)
    expect(
      await until(
        () => there.use(),
        ({ allowed }) => !allowed,
      ),
    ).toMatchObject({ remaining: 0 })
    await until(stored, ([points]) => points === 200)
  })

  it('do not miss what a process held that has ended', async () => {
    const [here, there] = [processOf(), processOf()]
    await here.uses(4)
    await here.limits.close()
    expect(admitted(await there.uses(300))).toBe(200)
  })

  it('report the same keys at once without waiting for each other for ever', async () => {
    const all = [processOf(), processOf()]
    const keys = Array.from({ length: 200 }, (_, user) => `user ${user}`)
    for (let round = 0; round < 5; round++)
      await Promise.all(
        all.flatMap((one, index) => (index === 0 ? keys : keys.toReversed()).map((key) => one.uses(10, key))),
      )
    expect(onStoreFailure).not.toHaveBeenCalled()
  })
})

describe('when the store fails', () => {
  it('counts in this process, and says so once', async () => {
    const one = processOf('postgres://nobody@127.0.0.1:1/none')
    expect(admitted(await one.uses(300))).toBe(200)
    expect(onStoreFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'ECONNREFUSED' }))
  })

  it('does not wait for a store that hangs, and reports all once it answers', async () => {
    const one = processOf(database.url, 50)
    const blocker = new Pool({ connectionString: database.url, max: 1 })
    const client = await blocker.connect()
    await client.query('begin')
    await client.query('lock table rate_limits')
    const verdicts = one.uses(150)
    await somebodyWaits(database)
    expect(admitted(await verdicts)).toBe(150)
    expect(onStoreFailure).toHaveBeenCalledExactlyOnceWith(new Error('The store took more than 50 ms'))
    await client.query('rollback')
    client.release()
    await blocker.end()
    // What was sent but not answered may count twice.
    await until(stored, ([points = 0]) => points >= 150)
  })
})
