// Signed links: good for one file, one organization, one purpose and their time.
import { describe, expect, it } from 'vitest'
import { linkToken, readLinkToken } from './signed-link.ts'

const keys = { secretKey: 'of the tests, and of the tests only' }
const now = new Date('2026-11-20T12:00:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
const link = { purpose: 'download', organizationId: 42, id: 7, expiresAt: later(300) }
const token = linkToken(keys, link)

describe('readLinkToken', () => {
  it('reads what was signed, until it expires', () => {
    expect(readLinkToken(keys, 'download', { token, now })).toEqual(link)
    expect(readLinkToken(keys, 'download', { token, now: later(299) })).toEqual(link)
    expect(readLinkToken(keys, 'download', { token, now: later(300) })).toBeNull()
  })
  it('refuses another purpose and another key', () => {
    expect(readLinkToken(keys, 'share', { token, now })).toBeNull()
    expect(readLinkToken({ secretKey: 'another' }, 'download', { token, now })).toBeNull()
  })
  it('refuses a token of which any part was changed', () => {
    const parts = token.split('.')
    const changed = parts.map((part, at) => parts.with(at, part.startsWith('1') ? `2${part}` : `1${part.slice(1)}`))
    for (const wrong of [...changed.map((one) => one.join('.')), '', 'a.b.c.d', `${token}x`, ` ${token}`, `0${token}`])
      expect(readLinkToken(keys, 'download', { token: wrong, now }), wrong).toBeNull()
  })
})
