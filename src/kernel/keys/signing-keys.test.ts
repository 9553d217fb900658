import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSigningKeys, splitPems, type SigningKeys } from './signing-keys.ts'

const first = rsaPem(3072)
const second = rsaPem(3072)

describe('loadSigningKeys', () => {
  let keys: SigningKeys
  beforeAll(async () => {
    keys = await loadSigningKeys({ pems: [first, second] })
  })

  it('publishes only the public half of every key', async () => {
    expect(keys.jwks.keys).toHaveLength(2)
    for (const [index, pem] of [first, second].entries()) {
      const { n, e } = createPublicKey(pem).export({ format: 'jwk' })
      const kid = await calculateJwkThumbprint({ kty: 'RSA', n: String(n), e: String(e) })
      expect(keys.jwks.keys[index]).toStrictEqual({ kty: 'RSA', kid, use: 'sig', alg: 'RS256', n, e })
    }
  })

  it('signs with the first, so that any client of the JWKS can verify', async () => {
    const token = await keys.sign('at+jwt', { sub: '7', iss: 'titular' })
    const verified = await jwtVerify(token, createLocalJWKSet({ keys: [...keys.jwks.keys] }), { issuer: 'titular' })
    expect(verified.protectedHeader).toStrictEqual({ alg: 'RS256', typ: 'at+jwt', kid: keys.jwks.keys[0]?.kid })
    expect(verified.payload).toStrictEqual({ sub: '7', iss: 'titular' })
  })

  it('verifies what an older key signed after a newer one was put before it', async () => {
    const token = await (await loadSigningKeys({ pems: [second] })).sign('at+jwt', { sub: '7' })
    expect(await keys.verify('at+jwt', token)).toStrictEqual({ isGenuine: true, payload: { sub: '7' } })
  })

  it('publishes a key that is given twice once', async () => {
    expect((await loadSigningKeys({ pems: [first, first] })).jwks.keys).toHaveLength(1)
  })

  it('reads PKCS #1 as well as PKCS #8', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 })
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    expect((await loadSigningKeys({ pems: [pem] })).jwks.keys).toHaveLength(1)
  })

  it('refuses small keys, other kinds, public halves, encrypted ones and none, each with one line', async () => {
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const locked = generateKeyPairSync('rsa', {
      modulusLength: 3072,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const refusals: [string[], string][] = [
      [[], 'No signing key: at least one RSA private key in PEM is needed'],
      [[rsaPem(2048)], 'Signing key 1 has 2048 bits; at least 3072 are needed'],
      [[first, rsaPem(2048)], 'Signing key 2 has 2048 bits; at least 3072 are needed'],
      [[elliptic.export({ type: 'pkcs8', format: 'pem' }).toString()], 'Signing key 1 is ec; RS256 needs an RSA key'],
      [[locked.publicKey], 'Signing key 1 is not an unencrypted private key in PEM'],
      [[locked.privateKey], 'Signing key 1 is not an unencrypted private key in PEM'],
      [['nonsense'], 'Signing key 1 is not an unencrypted private key in PEM'],
    ]
    for (const [pems, message] of refusals) {
      await expect(loadSigningKeys({ pems })).rejects.toThrow(new Error(message))
    }
  })
})

describe('splitPems', () => {
  it('finds every key in a text, whatever is between them', () => {
    expect(splitPems(`# newest first\n${first}\n\n# before 2026-03\n${second}`)).toEqual([first.trim(), second.trim()])
  })

  it('understands line ends written as \\n', () => {
    const [pem] = splitPems(first.replaceAll('\n', String.raw`\n`))
    expect(pem).toBe(first.trim())
  })

  it('finds none in a text without any', () => {
    expect(splitPems('')).toEqual([])
    expect(splitPems('-----BEGIN PRIVATE KEY-----')).toEqual([])
  })
})

function rsaPem(modulusLength: number): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
