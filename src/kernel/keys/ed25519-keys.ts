// Ed25519 keys (RFC 8032) that sign license files and checkpoints: the first key signs, all are described as a JWKS
// (RFC 8037).
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK } from 'jose'

export type Ed25519PublicKey = { kty: 'OKP'; crv: 'Ed25519'; kid: string; use: 'sig'; alg: 'EdDSA'; x: string }

export type Ed25519Keys = {
  readonly keyId: string
  readonly jwks: { readonly keys: readonly Ed25519PublicKey[] }
  /** Gives a compact JWS (RFC 7515). Synchronous, since it takes about fifty microseconds. */
  sign(type: string, claims: object): string
}

export async function loadEd25519Keys(pems: readonly string[]): Promise<Ed25519Keys> {
  const privateKeys = pems.map(readKey)
  const [signer] = privateKeys
  if (signer === undefined) throw new Error('No signing key: at least one Ed25519 private key in PEM is needed')
  const published = new Map<string, Ed25519PublicKey>()
  for (const privateKey of privateKeys) {
    const key = await described(privateKey)
    published.set(key.kid, key)
  }
  const { kid } = await described(signer)
  return {
    keyId: kid,
    jwks: { keys: [...published.values()] },
    sign(type, claims) {
      const signed = `${encoded({ alg: 'EdDSA', typ: type, kid })}.${encoded(claims)}`
      return `${signed}.${sign(null, Buffer.from(signed), signer).toString('base64url')}`
    },
  }
}

export async function newEd25519Key(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function readKey(pem: string, index: number): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    // The cause is dropped on purpose, so that nothing about a private key reaches a log.
    throw new Error(`Signing key ${index + 1} is not an unencrypted private key in PEM`)
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`Signing key ${index + 1} is ${key.asymmetricKeyType ?? 'unknown'}; it must be Ed25519`)
  return key
}

async function described(privateKey: KeyObject): Promise<Ed25519PublicKey> {
  const { x = '' } = await exportJWK(createPublicKey(privateKey))
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
  return { kty: 'OKP', crv: 'Ed25519', kid, use: 'sig', alg: 'EdDSA', x }
}
