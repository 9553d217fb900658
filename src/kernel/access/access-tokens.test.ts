import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccessTokens, type AccessTokens } from './access-tokens.ts'
import { loadSigningKeys, type SigningKeys } from '#kernel/keys/signing-keys.ts'

const ours = generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey
const now = new Date('2026-03-10T15:00:00.000Z')
const seconds = now.getTime() / 1000
const grant = {
  userId: 7,
  sessionId: 41,
  organizationId: 3,
  roles: ['customer'],
  scopes: ['quotes', 'tickets'],
  now,
}

let keys: SigningKeys
let tokens: AccessTokens
beforeAll(async () => {
  keys = await loadSigningKeys({ pems: [ours.export({ type: 'pkcs8', format: 'pem' }).toString()] })
})
beforeEach(() => {
  tokens = createAccessTokens({ keys, issuer: 'titular' })
})

describe('issue', () => {
  it('writes the claims of spec 5.2 and a header that names type and key', async () => {
    const { access_token, expires_in } = await tokens.issue(grant)
    expect(expires_in).toBe(86_400)
    const [header, payload] = access_token.split('.').slice(0, 2).map(decode)
    expect(header).toStrictEqual({ alg: 'RS256', typ: 'at+jwt', kid: keys.keyId })
    expect(payload).toStrictEqual({
      iss: 'titular',
      sub: '7',
      sid: '41',
      jti: expect.stringMatching(/^[\w-]{22}$/),
      org: 3,
      roles: ['customer'],
      scopes: ['quotes', 'tickets'],
      iat: seconds,
      exp: seconds + 86_400,
    })
  })

  it('never gives two tokens the same id', async () => {
    const [one, two] = await Promise.all([tokens.issue(grant), tokens.issue(grant)])
    expect(one.access_token).not.toBe(two.access_token)
  })
})

describe('verify', () => {
  it('gives the user, session and organization that the token was issued for, each time', async () => {
    const { access_token } = await tokens.issue({ ...grant, organizationId: null })
    const expected = {
      isValid: true,
      access: {
        of: 'session',
        userId: 7,
        sessionId: 41,
        organizationId: null,
        roles: ['customer'],
        scopes: ['quotes', 'tickets'],
        tokenId: expect.any(String),
        issuedAt: seconds,
        expiresAt: seconds + 86_400,
      },
    }
    expect(await tokens.verify(access_token, now)).toStrictEqual(expected)
    expect(await tokens.verify(access_token, now)).toStrictEqual(expected)
  })

  it('verifies the signature once, and the times at every use', async () => {
    const verify = vi.spyOn(keys, 'verify')
    const { access_token } = await tokens.issue(grant)
    const lastMoment = new Date((seconds + 86_400) * 1000 - 1)
    expect(await tokens.verify(access_token, now)).toMatchObject({ isValid: true })
    expect(await tokens.verify(access_token, lastMoment)).toMatchObject({ isValid: true })
    expect(await tokens.verify(access_token, new Date(lastMoment.getTime() + 1))).toStrictEqual(refused('expired'))
    const early = new Date(now.getTime() - 61_000)
    expect(await tokens.verify(access_token, early)).toStrictEqual(refused('issued_in_future'))
    expect(verify).toHaveBeenCalledTimes(1)
    verify.mockRestore()
  })

  it('refuses a token that differs from a verified one in a single character', async () => {
    const { access_token } = await tokens.issue(grant)
    await tokens.verify(access_token, now)
    expect(await tokens.verify(flip(access_token), now)).toStrictEqual(refused('signature'))
  })

  it('does not let a caller change the cached claims', async () => {
    const { access_token } = await tokens.issue(grant)
    const verdict = await tokens.verify(access_token, now)
    if (!verdict.isValid) throw new Error('refused')
    expect(() => Object.assign(verdict.access, { userId: 1 })).toThrow(TypeError)
    expect(() => Reflect.apply(Array.prototype.push, verdict.access.scopes, ['*'])).toThrow(TypeError)
  })
})

function flip(token: string): string {
  const position = token.lastIndexOf('.') + 10
  return token.slice(0, position) + (token[position] === 'A' ? 'B' : 'A') + token.slice(position + 1)
}

function refused(reason: string) {
  return { isValid: false, reason }
}

function decode(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
}
