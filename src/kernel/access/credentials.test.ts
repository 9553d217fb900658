// Which of several credentials counts, and what is refused as malformed.
import { describe, expect, it } from 'vitest'
import type { AccessTokens } from './access-tokens.ts'
import { readCredential, readSessionCookie, type RequestCredentials } from './credentials.ts'
import { digest, sessionNonce } from '#kernel/keys/secrets.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const secretKey = 'a secret key of more than thirty-two bytes'
const [KEY, SECRET] = [`ck_${'a'.repeat(32)}`, `cs_${'b'.repeat(32)}`]
const COOKIE = { sessionId: 41, userId: 7, secret: 's'.repeat(43) }
const cookie = `${COOKIE.sessionId}.${COOKIE.userId}.${COOKIE.secret}`
const { nonce } = sessionNonce(secretKey, { sessionId: 41, userId: 7, now })

/** Knows one token. */
const accessTokens: Pick<AccessTokens, 'verify'> = {
  verify: (token) =>
    Promise.resolve(
      token === 'right'
        ? {
            isValid: true,
            access: { of: 'session', userId: 7, sessionId: 41, organizationId: null, roles: [], scopes: [] },
          }
        : { isValid: false, reason: 'malformed' },
    ) as ReturnType<AccessTokens['verify']>,
}

const nothing: RequestCredentials = {
  authorization: undefined,
  cookie: undefined,
  nonce: undefined,
  consumerKey: undefined,
  consumerSecret: undefined,
  keysInQuery: true,
}
const read = (given: Partial<RequestCredentials>) =>
  readCredential({ ...nothing, ...given }, accessTokens as AccessTokens, secretKey, now)
const basicOf = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

const bearer = { kind: 'bearer', userId: 7, sessionId: 41, mayBeStaff: false }
const apiKey = { kind: 'api_key', of: 'organization', consumerKey: KEY, proof: { secret: digest(SECRET) } }
const session = { kind: 'session', userId: 7, sessionId: 41, secret: digest(COOKIE.secret) }
const refusal = { code: 'AUTHENTICATION_ERROR' }

describe('readCredential', () => {
  it('is null when the request brings none', async () => expect(await read({})).toBeNull())

  it.each(['Bearer right', 'bearer right', 'BEARER   right ', 'Bearer\tright'])(
    'takes the token of %j',
    async (given) => expect(await read({ authorization: given })).toEqual(bearer),
  )
  it.each([
    'Bearer wrong',
    'Bearer',
    'Bearer ',
    'Bearerright',
    'x Bearer right',
    'Digest right',
    'right',
    '',
    ' ',
    'Basic',
  ])('refuses %j, whatever other credentials there are', async (authorization) => {
    const others = { cookie, nonce, consumerKey: KEY, consumerSecret: SECRET }
    await expect(read({ authorization, ...others })).rejects.toMatchObject(refusal)
  })

  it('takes an API key by HTTP Basic and by the query', async () => {
    expect(await read({ authorization: basicOf(`${KEY}:${SECRET}`) })).toEqual(apiKey)
    expect(await read({ authorization: `basic   ${basicOf(`${KEY}:${SECRET}`).slice(6)} ` })).toEqual(apiKey)
    expect(await read({ consumerKey: KEY, consumerSecret: SECRET })).toEqual(apiKey)
    for (const length of [20, 60])
      expect(
        await read({ consumerKey: `ck_${'a'.repeat(length)}`, consumerSecret: `cs_${'_'.repeat(length)}` }),
      ).toMatchObject({
        kind: 'api_key',
      })
  })
  it.each([
    ['no colon', `${KEY}${SECRET}`],
    ['no secret', `${KEY}:`],
    ['no key', `:${SECRET}`],
    ['a colon in the secret', `${KEY}:${SECRET}:`],
    ['nothing', ''],
    ['the halves exchanged', `${SECRET}:${KEY}`],
  ])('refuses HTTP Basic with %s', (_what, text) =>
    expect(read({ authorization: basicOf(text) })).rejects.toMatchObject(refusal),
  )
  it.each([
    [KEY, undefined],
    [undefined, SECRET],
    [[KEY, KEY], SECRET],
    [KEY, [SECRET]],
    [`x${KEY}`, SECRET],
    [KEY, `x${SECRET}`],
    [`${KEY} `, SECRET],
    [KEY, `${SECRET} `],
    [`ck_${'a'.repeat(19)}`, SECRET],
    [`ck_${'a'.repeat(61)}`, SECRET],
    [KEY, `cs_${'a'.repeat(19)}`],
    [KEY, `cs_${'a'.repeat(61)}`],
    [`ck_${'é'.repeat(32)}`, SECRET],
    [KEY, `cs_${'+'.repeat(32)}`],
  ])('refuses the key %j with the secret %j, also beside a session', (consumerKey, consumerSecret) =>
    expect(read({ consumerKey, consumerSecret, cookie, nonce })).rejects.toMatchObject(refusal),
  )

  it('takes a session with its nonce', async () => {
    expect(await read({ cookie, nonce })).toEqual(session)
    expect(await read({ cookie, nonce, cookieAlone: true })).toEqual(session)
  })
  it('takes a session without a nonce only on the route that gives one', async () => {
    await expect(read({ cookie })).rejects.toMatchObject(refusal)
    await expect(read({ cookie, nonce: 'wrong' })).rejects.toMatchObject(refusal)
    const ofAnother = sessionNonce(secretKey, { sessionId: 42, userId: 7, now }).nonce
    await expect(read({ cookie, nonce: ofAnother })).rejects.toMatchObject(refusal)
    expect(await read({ cookie, cookieAlone: true })).toEqual(session)
  })
  it('refuses a malformed cookie, also where no nonce is needed', async () => {
    for (const given of ['', 'x', `0.7.${COOKIE.secret}`]) {
      await expect(read({ cookie: given, nonce })).rejects.toMatchObject(refusal)
      await expect(read({ cookie: given, cookieAlone: true })).rejects.toMatchObject(refusal)
    }
  })
  it('prefers the token to the key, and the key to the session', async () => {
    const all = { authorization: 'Bearer right', consumerKey: KEY, consumerSecret: SECRET, cookie, nonce }
    expect(await read(all)).toEqual(bearer)
    expect(await read({ ...all, authorization: undefined })).toEqual(apiKey)
  })
})

describe('readSessionCookie', () => {
  it('reads its three parts', () => {
    expect(readSessionCookie(cookie)).toEqual(COOKIE)
    const long = { sessionId: 1_234_567_890_123_456, userId: 9_007_199_254_740_991, secret: `-_${'A9'.repeat(20)}z` }
    expect(readSessionCookie(`${long.sessionId}.${long.userId}.${long.secret}`)).toEqual(long)
    expect(readSessionCookie(`1.2.${COOKIE.secret}`)).toEqual({ sessionId: 1, userId: 2, secret: COOKIE.secret })
  })
  it.each([
    '',
    '..',
    `41.7.${'s'.repeat(42)}`,
    `41.7.${'s'.repeat(44)}`,
    `041.7.${COOKIE.secret}`,
    `41.07.${COOKIE.secret}`,
    `0.7.${COOKIE.secret}`,
    `41.0.${COOKIE.secret}`,
    `-41.7.${COOKIE.secret}`,
    `41.7x.${COOKIE.secret}`,
    `4x.7.${COOKIE.secret}`,
    `41.7.${'+'.repeat(43)}`,
    ` ${cookie}`,
    `${cookie} `,
    `12345678901234567.7.${COOKIE.secret}`,
    `41.12345678901234567.${COOKIE.secret}`,
    `41-7.${COOKIE.secret}`,
    `41.7-${COOKIE.secret}`,
  ])('is null for %j', (text) => expect(readSessionCookie(text)).toBeNull())
})
