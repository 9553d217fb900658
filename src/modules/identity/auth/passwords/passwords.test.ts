import { argon2Sync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { createPasswordHasher, hashingConcurrency, needsRehash, passwordProblem } from './passwords.ts'

describe('passwordProblem', () => {
  it('accepts 8 to 128 characters of any kind', () => {
    const good = ['vento-Lilás 7', ' 8 blank ', 'x9'.repeat(64), '日本語日本語日本語', 'two  blanks kept']
    expect(good.filter((password) => passwordProblem(password) !== null)).toEqual([])
  })

  it('counts code points, not UTF-16 units or bytes', () => {
    expect(passwordProblem('🦜'.repeat(4))).toBe('too_short')
    expect(passwordProblem('🦜'.repeat(7))).toBe('too_short')
    expect(passwordProblem('🦜'.repeat(8))).toBeNull()
    expect(passwordProblem('🦜'.repeat(128))).toBeNull()
    expect(passwordProblem('🦜'.repeat(129))).toBe('too_long')
  })

  it('refuses 0, 7, 129 and very many characters', () => {
    expect(passwordProblem('')).toBe('too_short')
    expect(passwordProblem('v9-Lila')).toBe('too_short')
    expect(passwordProblem('v9-Lilas')).toBeNull()
    expect(passwordProblem('x9'.repeat(64) + 'x')).toBe('too_long')
    expect(passwordProblem('x'.repeat(1_000_000))).toBe('too_long')
  })

  it('refuses the most common ones, in any case and in both languages', () => {
    const common = [
      'password',
      'PassWord',
      '12345678',
      'qwertyuiop',
      'iloveyou',
      'SENHA123',
      'Mudar@123',
      'corinthians',
    ]
    expect(common.filter((password) => passwordProblem(password) !== 'common')).toEqual([])
  })

  it('knows more than the 3,000 most common ones of the allowed length', () => {
    const allowed = [...commonPasswords()].filter((password) => Array.from(password).length >= 8)
    expect(allowed.length).toBeGreaterThan(15_000)
    for (const password of commonPasswords()) expect(password).toBe(password.toLowerCase())
  })
})

describe('createPasswordHasher', () => {
  const hasher = createPasswordHasher({ concurrency: 2 })

  it('makes argon2id hashes that only their password matches', async () => {
    const hash = await hasher.hash('vento lilás')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await hasher.verify(hash, 'vento lilás')).toBe(true)
    for (const wrong of ['vento lilas', 'Vento lilás', 'vento lilás ', 'vento lila\u0301s', '']) {
      expect(await hasher.verify(hash, wrong)).toBe(false)
    }
  })

  it('uses a salt: the same password never gives the same hash', async () => {
    expect(await hasher.hash('vento lilás')).not.toBe(await hasher.hash('vento lilás'))
  })

  it('does not cut passwords: the 128th character counts', async () => {
    const hash = await hasher.hash('🦜'.repeat(127) + 'a')
    expect(await hasher.verify(hash, '🦜'.repeat(127) + 'b')).toBe(false)
    expect(await hasher.verify(hash, '🦜'.repeat(127) + 'a')).toBe(true)
  })

  it('computes the same hash as another implementation of argon2id', async () => {
    const nonce = randomBytes(16)
    const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
    const tag = argon2Sync('argon2id', { message: 'vento lilás', nonce, ...cost })
    const [salt, text] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
    const hash = `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${text}`
    expect(await hasher.verify(hash, 'vento lilás')).toBe(true)
    expect(needsRehash(hash)).toBe(false)
  })

  it('denies an unknown account after the same work as for a known one', async () => {
    const one = createPasswordHasher({ concurrency: 1 })
    const hash = await one.hash('vento lilás')
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 15; round += 1) {
      known.push(await costOf(() => one.verify(hash, 'wrong password')))
      unknown.push(await costOf(() => one.verify(null, 'wrong password')))
    }
    // An answer without hashing would take a hundredth of the time.
    expect(median(unknown) / median(known)).toBeGreaterThan(0.5)
    expect(median(unknown) / median(known)).toBeLessThan(2)
    expect(await one.verify(null, '')).toBe(false)
  })

  it('queues a bounded number of calls and refuses the others at once', async () => {
    const narrow = createPasswordHasher({ concurrency: 1, maxWaiting: 2 })
    const settled = await Promise.allSettled(Array.from({ length: 6 }, () => narrow.verify(null, 'vento lilás')))
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    const overloaded = { reason: { code: 'SERVICE_UNAVAILABLE', details: { retryAfter: 1 } } }
    for (const result of settled.slice(3)) expect(result).toMatchObject(overloaded)
    await expect(narrow.verify(null, 'vento lilás')).resolves.toBe(false)
  })

  it('serves in the order of arrival', async () => {
    const narrow = createPasswordHasher({ concurrency: 1 })
    const order: number[] = []
    const arrivals = [0, 1, 2, 3, 4]
    await Promise.all(arrivals.map((arrival) => narrow.verify(null, 'x').then(() => order.push(arrival))))
    expect(order).toEqual(arrivals)
  })

  it('frees its slot when a stored hash is broken', async () => {
    const narrow = createPasswordHasher({ concurrency: 1, maxWaiting: 0 })
    await expect(narrow.verify('broken', 'vento lilás')).rejects.toThrow('Decoding failed')
    await expect(narrow.verify(null, 'vento lilás')).resolves.toBe(false)
  })
})

describe('hashingConcurrency', () => {
  it('is half the cores, and at least one', () => {
    expect([1, 2, 3, 4, 16].map(hashingConcurrency)).toEqual([1, 1, 1, 2, 8])
  })
})

describe('needsRehash', () => {
  it('is true for hashes with other parameters', async () => {
    expect(needsRehash(await createPasswordHasher().hash('vento lilás'))).toBe(false)
    const rest = '$c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const others = [
      'id$v=19$m=4096,t=3,p=1',
      'id$v=19$m=19456,t=1,p=1',
      'i$v=19$m=19456,t=2,p=1',
      'id$v=16$m=19456,t=2,p=1',
    ]
    expect(others.filter((other) => !needsRehash(`$argon2${other}${rest}`))).toEqual([])
  })
})

/** CPU time, so that other programs on the machine do not change the result. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  return process.cpuUsage(start).user
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
