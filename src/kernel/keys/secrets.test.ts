import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { derive, digest, isEqual, isSessionNonce, randomToken, sessionNonce } from './secrets.ts'

const secretKey = 'a secret key of more than thirty-two bytes'

describe('randomToken', () => {
  it('gives 256 random bits, safe in a URL', () => {
    const tokens = Array.from({ length: 100 }, () => randomToken())
    expect(new Set(tokens).size).toBe(100)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('gives as many bytes as asked for', () => {
    expect(Buffer.from(randomToken(16), 'base64url')).toHaveLength(16)
  })
})

describe('digest', () => {
  it('is the SHA-256 of the text', () => {
    expect(digest('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(digest('ção')).toEqual(createHash('sha256').update('ção', 'utf8').digest())
  })
})

describe('derive', () => {
  it('is the same for the same key, purpose and parts', () => {
    expect(derive(secretKey, 'refresh', 'token', 7)).toEqual(derive(secretKey, 'refresh', 'token', 7))
    expect(derive(secretKey, 'refresh', 'token')).toHaveLength(32)
  })

  it('differs by key, by purpose and by part', () => {
    const values = [
      derive(secretKey, 'refresh', 'token'),
      derive(`${secretKey}!`, 'refresh', 'token'),
      derive(secretKey, 'reset', 'token'),
      derive(secretKey, 'refresh', 'token '),
    ]
    expect(new Set(values.map((value) => value.toString('hex'))).size).toBe(values.length)
  })

  it('differs when the same text is divided into other parts', () => {
    const values = [
      derive(secretKey, 'p', 'ab', 'c'),
      derive(secretKey, 'p', 'a', 'bc'),
      derive(secretKey, 'p', 'abc'),
      derive(secretKey, 'p', 'abc', ''),
      derive(secretKey, 'pabc'),
      derive(secretKey, 'p', 'a\0\0\0\x02bc'),
    ]
    expect(new Set(values.map((value) => value.toString('hex'))).size).toBe(values.length)
  })

  it('takes bytes as they are', () => {
    expect(derive(Buffer.from(secretKey), 'p', Buffer.from('ab'))).toEqual(derive(secretKey, 'p', 'ab'))
  })

  it('refuses to work without a key', () => {
    for (const none of ['', Buffer.alloc(0)]) expect(() => derive(none, 'p')).toThrow('needs a secret key')
  })
})

describe('isEqual', () => {
  it('compares texts and bytes, of any length', () => {
    expect(isEqual('abc', 'abc')).toBe(true)
    expect(isEqual('abc', Buffer.from('abc'))).toBe(true)
    expect(isEqual('abc', 'abd')).toBe(false)
    expect(isEqual('abc', 'abcd')).toBe(false)
    expect(isEqual('', 'a')).toBe(false)
  })
})

describe('sessionNonce', () => {
  const now = new Date('2026-03-10T15:00:00Z')
  const bearer = { sessionId: 41, userId: 7, now }

  it('is accepted for the same session and user, until expires_at', () => {
    const { nonce, expires_at } = sessionNonce(secretKey, bearer)
    expect(expires_at).toBe('2026-03-11T12:00:00.000Z')
    expect(isSessionNonce(secretKey, nonce, bearer)).toBe(true)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, now: new Date(Date.parse(expires_at) - 1) })).toBe(true)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, now: new Date(expires_at) })).toBe(false)
  })

  it('lives at least 12 hours, also when made at the end of a tick', () => {
    const late = new Date('2026-03-10T23:59:59.999Z')
    const { expires_at } = sessionNonce(secretKey, { ...bearer, now: late })
    expect(Date.parse(expires_at) - late.getTime()).toBeGreaterThan(12 * 3_600_000)
  })

  it('is not accepted before its own tick, except by a clock that is up to a minute behind', () => {
    const { nonce } = sessionNonce(secretKey, bearer)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, now: new Date('2026-03-10T11:59:00Z') })).toBe(true)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, now: new Date('2026-03-10T11:58:59Z') })).toBe(false)
  })

  it('is refused for another session, another user and another key', () => {
    const { nonce } = sessionNonce(secretKey, bearer)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, sessionId: 42 })).toBe(false)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, userId: 8 })).toBe(false)
    expect(isSessionNonce(secretKey, nonce, { ...bearer, sessionId: 4, userId: 17 })).toBe(false)
    expect(isSessionNonce(`${secretKey}!`, nonce, bearer)).toBe(false)
  })

  it('is refused when cut, lengthened or empty', () => {
    const { nonce } = sessionNonce(secretKey, bearer)
    for (const wrong of [nonce.slice(1), `${nonce}=`, ` ${nonce}`, '', nonce.toUpperCase()]) {
      expect(isSessionNonce(secretKey, wrong, bearer)).toBe(false)
    }
  })
})
