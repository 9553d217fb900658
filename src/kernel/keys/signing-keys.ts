// The RSA keys of access tokens: the first signs, all verify and are published as a JWKS (RFC 7517).
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import {
  SignJWT,
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  errors,
  exportJWK,
  type JWTPayload,
} from 'jose'

export const MINIMUM_KEY_BITS = 3072
const ALGORITHM = 'RS256'
const HEADER_PARAMETERS = new Set(['alg', 'typ', 'kid'])

export type PublicKey = { kty: 'RSA'; kid: string; use: 'sig'; alg: typeof ALGORITHM; n: string; e: string }

export type SignatureRefusal = 'malformed' | 'header' | 'algorithm' | 'type' | 'unknown_key' | 'signature'

type SignatureVerdict =
  | { isGenuine: true; payload: Readonly<Record<string, unknown>> }
  | { isGenuine: false; reason: SignatureRefusal }

export type SigningKeys = {
  readonly keyId: string
  readonly jwks: { readonly keys: readonly PublicKey[] }
  sign(type: string, claims: JWTPayload): Promise<string>
  verify(type: string, token: string): Promise<SignatureVerdict>
}

export async function loadSigningKeys({ pems }: { pems: readonly string[] }): Promise<SigningKeys> {
  const privateKeys = pems.map((pem, index) => readPrivateKey(pem, index + 1))
  const [signer] = privateKeys
  if (signer === undefined) throw new Error('No signing key: at least one RSA private key in PEM is needed')
  // The same key given twice is published once.
  const published = new Map<string, PublicKey>()
  const verifiers = new Map<string, KeyObject>()
  for (const privateKey of privateKeys) {
    const verifier = createPublicKey(privateKey)
    const publicKey = await describeKey(verifier)
    published.set(publicKey.kid, publicKey)
    verifiers.set(publicKey.kid, verifier)
  }
  const { kid } = await describeKey(createPublicKey(signer))
  return {
    keyId: kid,
    jwks: { keys: [...published.values()] },
    sign: (type, claims) => new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: type, kid }).sign(signer),
    verify: (type, token) => verifySignature(verifiers, type, token),
  }
}

// A setting may hold several PEMs. Some environments can only carry line ends as the two characters \n.
export function splitPems(text: string): string[] {
  const pems = text.replaceAll(String.raw`\n`, '\n').match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g)
  return [...(pems ?? [])]
}

function readPrivateKey(pem: string, position: number): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    // The cause is dropped on purpose, so that nothing about a private key reaches a log.
    throw new Error(`Signing key ${position} is not an unencrypted private key in PEM`)
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw new Error(`Signing key ${position} is ${key.asymmetricKeyType ?? 'unknown'}; RS256 needs an RSA key`)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < MINIMUM_KEY_BITS) {
    throw new Error(`Signing key ${position} has ${bits} bits; at least ${MINIMUM_KEY_BITS} are needed`)
  }
  return key
}

async function describeKey(key: KeyObject): Promise<PublicKey> {
  const { n = '', e = '' } = await exportJWK(key)
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
  return { kty: 'RSA', kid, use: 'sig', alg: ALGORITHM, n, e }
}

// The token only chooses the key's id; algorithm, type and the source of keys are fixed here. The header may have just
// the three parameters that this service writes, and no others (jwk, jku, x5c, crit, b64).
async function verifySignature(
  verifiers: ReadonlyMap<string, KeyObject>,
  type: string,
  token: string,
): Promise<SignatureVerdict> {
  const header = readHeader(token)
  if (header === undefined) return { isGenuine: false, reason: 'malformed' }
  if (header.alg !== ALGORITHM) return { isGenuine: false, reason: 'algorithm' }
  if (Object.keys(header).some((name) => !HEADER_PARAMETERS.has(name))) return { isGenuine: false, reason: 'header' }
  if (header.typ !== type) return { isGenuine: false, reason: 'type' }
  const key = typeof header.kid === 'string' ? verifiers.get(header.kid) : undefined
  if (key === undefined) return { isGenuine: false, reason: 'unknown_key' }
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] })
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    return isRecord(claims) ? { isGenuine: true, payload: claims } : { isGenuine: false, reason: 'malformed' }
  } catch (error) {
    const isForged = error instanceof errors.JWSSignatureVerificationFailed
    return { isGenuine: false, reason: isForged ? 'signature' : 'malformed' }
  }
}

function readHeader(token: string) {
  const [, seal] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? []
  // The unused bits of the signature's last character must be zero, so that each token has only one spelling.
  if (seal === undefined || Buffer.from(seal, 'base64url').toString('base64url') !== seal) return undefined
  try {
    return decodeProtectedHeader(token)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
