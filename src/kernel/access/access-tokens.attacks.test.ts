// Forged, foreign, damaged and outdated access tokens: each is refused with its own reason.
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccessTokens, type AccessTokens } from './access-tokens.ts'
import { loadSigningKeys, type SigningKeys } from '#kernel/keys/signing-keys.ts'

const ours = generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey
const theirs = generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey
const now = new Date('2026-03-10T15:00:00.000Z')
const seconds = now.getTime() / 1000
const claims = {
  iss: 'titular',
  sub: '7',
  sid: '41',
  jti: 'one',
  org: 3,
  roles: ['customer'],
  scopes: ['quotes'],
  iat: seconds,
  exp: seconds + 86_400,
}

let keys: SigningKeys
let tokens: AccessTokens
let kid: string
beforeAll(async () => {
  keys = await loadSigningKeys({ pems: [pem(ours)] })
  kid = keys.keyId
})
beforeEach(() => {
  tokens = createAccessTokens({ keys, issuer: 'titular' })
})

it('accepts the reference token from which the attacks below are made', async () => {
  expect(await tokens.verify(forge({}, {}), now)).toMatchObject({ isValid: true })
})

describe('verify refuses, by header', () => {
  const publicPem = createPublicKey(pem(ours)).export({ type: 'spki', format: 'pem' }).toString()

  it('the algorithm none, in any spelling, with and without a signature', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${encode({ alg, typ: 'at+jwt', kid })}.${encode(claims)}`
      expect(await tokens.verify(`${unsigned}.`, now)).toStrictEqual(refused('malformed'))
      expect(await tokens.verify(`${unsigned}.AAAA`, now)).toStrictEqual(refused('algorithm'))
    }
  })

  it('HMAC with the public key as the secret', async () => {
    const modulus = keys.jwks.keys[0]?.n ?? ''
    for (const secret of [publicPem, publicPem.trim(), modulus, Buffer.from(modulus, 'base64url')]) {
      for (const alg of ['HS256', 'RS256']) {
        const text = `${encode({ alg, typ: 'at+jwt', kid })}.${encode(claims)}`
        const token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
        expect(await tokens.verify(token, now)).toStrictEqual(refused(alg === 'HS256' ? 'algorithm' : 'signature'))
      }
    }
  })

  it('other RSA algorithms, even when signed with our key', async () => {
    for (const alg of ['RS384', 'RS512', 'PS256', 'rs256']) {
      expect(await tokens.verify(forge({ alg }, {}), now)).toStrictEqual(refused('algorithm'))
    }
  })

  it('a key that is contained in the token', async () => {
    const jwk = createPublicKey(pem(theirs)).export({ format: 'jwk' })
    const address = 'http://127.0.0.1:1/keys'
    for (const extra of [{ jwk }, { jku: address }, { x5u: address }, { x5c: ['MIIB'] }, { crit: ['exp'], exp: 1 }]) {
      expect(await tokens.verify(forge(extra, {}, theirs), now)).toStrictEqual(refused('header'))
      expect(await tokens.verify(forge(extra, {}), now)).toStrictEqual(refused('header'))
    }
    expect(await tokens.verify(forge({ b64: false }, {}), now)).toStrictEqual(refused('header'))
  })

  it('a foreign key under our kid, and our key under a foreign kid', async () => {
    expect(await tokens.verify(forge({}, {}, theirs), now)).toStrictEqual(refused('signature'))
    for (const foreign of ['other', '', '__proto__', null, 1, ['x'], undefined]) {
      expect(await tokens.verify(forge({ kid: foreign }, {}), now)).toStrictEqual(refused('unknown_key'))
    }
  })

  it('the kid of another key of ours', async () => {
    const both = await loadSigningKeys({ pems: [pem(theirs), pem(ours)] })
    const tokensOfBoth = createAccessTokens({ keys: both, issuer: 'titular' })
    expect(await tokensOfBoth.verify(forge({}, {}), now)).toMatchObject({ isValid: true })
    expect(await tokensOfBoth.verify(forge({ kid: both.keyId }, {}), now)).toStrictEqual(refused('signature'))
  })

  it('another type of token', async () => {
    for (const typ of ['JWT', 'rt+jwt', 'AT+JWT', 'application/at+jwt', undefined]) {
      expect(await tokens.verify(forge({ typ }, {}), now)).toStrictEqual(refused('type'))
    }
  })
})

describe('verify refuses, by form', () => {
  it('a changed payload under the old signature, also once the genuine token is cached', async () => {
    const genuine = forge({}, {})
    const [header, , signature] = genuine.split('.')
    const token = `${header}.${encode({ ...claims, scopes: ['*'] })}.${signature}`
    expect(await tokens.verify(token, now)).toStrictEqual(refused('signature'))
    expect(await tokens.verify(genuine, now)).toMatchObject({ isValid: true })
    expect(await tokens.verify(token, now)).toStrictEqual(refused('signature'))
    expect(await tokens.verify(genuine, now)).toMatchObject({ isValid: true })
  })

  it('garbage around the token, missing and empty parts', async () => {
    const token = forge({}, {})
    const [header, payload, signature] = token.split('.')
    const wrong = [
      '',
      'x',
      '..',
      `${token}=`,
      `${token}==`,
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `${token}.`,
      `${token}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
      `${header}.${payload}.${signature?.replace(/.$/, '+')}`,
      `${header},${payload},${signature}`,
      `e30x.${payload}.${signature}`,
      `${Buffer.from('[]').toString('base64url')}.${payload}.${signature}`,
      `${Buffer.from('null').toString('base64url')}.${payload}.${signature}`,
    ]
    for (const text of wrong) expect(await tokens.verify(text, now)).toMatchObject({ isValid: false })
    expect(await tokens.verify(`${token}A`, now)).toMatchObject({ isValid: false })
  })

  it('a payload that is no object, even when signed by us', async () => {
    const header = encode({ alg: 'RS256', typ: 'at+jwt', kid })
    for (const payload of ['[]', 'null', '7', 'not json', '{"sub":"7"']) {
      const text = `${header}.${Buffer.from(payload).toString('base64url')}`
      expect(await tokens.verify(`${text}.${rsa(text, ours)}`, now)).toStrictEqual(refused('malformed'))
    }
  })

  it('more than 8 KiB, before the token is parsed', async () => {
    const long = forge({}, { padding: 'x'.repeat(8192) })
    expect(await tokens.verify(long, now)).toStrictEqual(refused('too_long'))
    const verify = vi.spyOn(keys, 'verify')
    expect(await tokens.verify('x'.repeat(8193), now)).toStrictEqual(refused('too_long'))
    expect(verify).not.toHaveBeenCalled()
    verify.mockRestore()
  })
})

describe('verify refuses, by claims', () => {
  it('another issuer', async () => {
    for (const iss of ['other', 'titular ', '', ['titular'], undefined]) {
      expect(await tokens.verify(forge({}, { iss }), now)).toStrictEqual(refused('issuer'))
    }
  })

  it('a missing, past or odd exp', async () => {
    for (const exp of [undefined, null, 'never', 1e300, seconds + 0.5, String(seconds + 60), 0]) {
      expect(await tokens.verify(forge({}, { exp }), now)).toStrictEqual(refused('claims'))
    }
    for (const exp of [seconds, seconds - 1, 1]) {
      expect(await tokens.verify(forge({}, { exp }), now)).toStrictEqual(refused('expired'))
    }
    expect(await tokens.verify(forge({}, { exp: seconds + 1 }), now)).toMatchObject({ isValid: true })
  })

  it('an iat more than 60 s ahead, or none', async () => {
    expect(await tokens.verify(forge({}, { iat: seconds + 60 }), now)).toMatchObject({ isValid: true })
    expect(await tokens.verify(forge({}, { iat: seconds + 61 }), now)).toStrictEqual(refused('issued_in_future'))
    expect(await tokens.verify(forge({}, { iat: undefined }), now)).toStrictEqual(refused('claims'))
  })

  it('a sub or sid that is not the decimal text of an id', async () => {
    for (const id of [
      7,
      '',
      '0',
      '07',
      '-7',
      '+7',
      '7.0',
      '7 ',
      '0x7',
      '7e0',
      '９',
      '9007199254740992',
      null,
      undefined,
    ]) {
      expect(await tokens.verify(forge({}, { sub: id }), now)).toStrictEqual(refused('claims'))
      expect(await tokens.verify(forge({}, { sid: id }), now)).toStrictEqual(refused('claims'))
    }
  })

  it('an org, roles, scopes or jti of another shape', async () => {
    for (const wrong of [
      { org: '3' },
      { org: 0 },
      { org: undefined },
      { roles: 'customer' },
      { roles: [1] },
      { scopes: '*' },
      { scopes: { 0: '*' } },
      { scopes: undefined },
      { jti: '' },
      { jti: undefined },
    ]) {
      expect(await tokens.verify(forge({}, wrong), now)).toStrictEqual(refused('claims'))
    }
  })
})

// A token made by hand, without the code under test.
function forge(header: Record<string, unknown>, changed: Record<string, unknown>, key: KeyObject = ours): string {
  const text = `${encode({ alg: 'RS256', typ: 'at+jwt', kid, ...header })}.${encode({ ...claims, ...changed })}`
  return `${text}.${rsa(text, key)}`
}

function rsa(text: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(text), createPrivateKey(pem(key))).toString('base64url')
}

function refused(reason: string) {
  return { isValid: false, reason }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
