import { describe, expect, it } from 'vitest'
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts'
import { enrollmentOf, stepOf, totpSecret } from './totp.ts'

/** RFC 6238, appendix B, SHA-1: the last six of the eight digits. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const
const secret = Buffer.from('12345678901234567890')
const at = (seconds: number): Date => new Date(seconds * 1000)

describe('a code of an authenticator app', () => {
  it.each(VECTORS)('is that of RFC 6238 after %d seconds', (seconds, code) => {
    expect(stepOf(secret, code, at(seconds))).toBe(Math.floor(seconds / 30))
  })
  it('counts one step before and after its own, and not beyond', () => {
    const code = '050471' // of the step from 1111111110 to 1111111139
    const step = 37_037_037
    for (const seconds of [1_111_111_080, 1_111_111_110, 1_111_111_139, 1_111_111_169])
      expect(stepOf(secret, code, at(seconds))).toBe(step)
    for (const seconds of [1_111_111_079, 1_111_111_170]) expect(stepOf(secret, code, at(seconds))).toBeNull()
  })
  it('is nothing but six digits', () => {
    for (const code of ['', '50471', '94287082', '287082 ', '２８７０８２', '0x1', '287 082'])
      expect(stepOf(secret, code, at(59))).toBeNull()
  })
})

const hex = (key: string, user_id: number, nonce: string) => totpSecret(key, { user_id, nonce }).toString('hex')

describe('the secret of an authenticator app', () => {
  it('has 160 bits, and is another for each person, setting up and service', () => {
    expect(totpSecret('key', { user_id: 1, nonce: 'n' })).toHaveLength(20)
    expect(new Set([hex('key', 1, 'n'), hex('key', 2, 'n'), hex('key', 1, 'm'), hex('yek', 1, 'n')]).size).toBe(4)
  })
  it('comes as base32 and as a URI that apps understand', () => {
    const { secret: typed, uri } = enrollmentOf(secret, { issuer: 'Ação & Cia', label: 'ana+1@acme.example' })
    expect(typed).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const { protocol, host, pathname, searchParams } = new URL(uri)
    expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Ação & Cia:ana+1@acme.example',
    ])
    expect(Object.fromEntries(searchParams)).toEqual({
      issuer: 'Ação & Cia',
      secret: typed,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('recovery codes', () => {
  it('are ten, of twelve signs that cannot be mistaken', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
  })
  it('are the same in another case, and without the dashes', () => {
    const digest = recoveryDigest('key', 7, '4k7p-m2xw-9rq3')
    for (const typed of ['4K7P-M2XW-9RQ3', '4k7pm2xw9rq3', ' 4k7p m2xw 9rq3 '])
      expect(recoveryDigest('key', 7, typed)).toEqual(digest)
    for (const other of [recoveryDigest('yek', 7, '4k7p-m2xw-9rq3'), recoveryDigest('key', 8, '4k7p-m2xw-9rq3')])
      expect(other).not.toEqual(digest)
  })
})
