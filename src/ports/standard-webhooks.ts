// Standard Webhooks 1.0.0: signatures over `id.timestamp.body` in three headers. `v1` is HMAC-SHA256 with a shared
// secret (`whsec_…`), `v1a` is Ed25519 with a private key (`whsk_…`) whose public half (`whpk_…`) the receiver has.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isEqual } from '#kernel/keys/secrets.ts'

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const PRIVATE_PREFIX = 'whsk_'

export type ReceivedHeaders = Record<string, string | string[] | undefined>

/** The key's bytes of `whsec_…`; null when it is none, or not of 24 to 64 bytes. */
export function standardKey(secret: string): Buffer | null {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const key = Buffer.from(encoded, 'base64')
  return key.length >= 24 && key.length <= 64 ? key : null
}

/** `whsec_…` of 24 to 64 bytes. */
export const standardSecret = (bytes: Buffer): string => PREFIX + bytes.toString('base64')

/** `whsk_…` of a seed of 32 bytes. */
export const standardPrivateKey = (seed: Buffer): string => PRIVATE_PREFIX + seed.toString('base64')

/** The `whpk_…` of a `whsk_…`. */
export function standardPublicKey(privateKey: string): string {
  const { x = '' } = createPublicKey(ed25519Key(privateKey)).export({ format: 'jwk' })
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`
}

/** Signed with each of the keys, `whsec_…` or `whsk_…`. */
export function standardHeaders(
  keys: readonly string[],
  id: string,
  body: string,
  now: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = keys.map((key) =>
    key.startsWith(PRIVATE_PREFIX)
      ? `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), ed25519Key(key)).toString('base64')}`
      : `v1,${signature(key, id, timestamp, body)}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signed.join(' ') }
}

/** The message's id when one of the secrets made one of its signatures within five minutes; else null. */
export function verifiedId(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  body: Uint8Array,
  now: Date,
): string | null {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return null
  if (!/^[\w:-]{1,255}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return null
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return null
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
  const made = secrets.map((secret) => signature(secret, id, timestamp, body))
  return made.some((right) => given.some((one) => isEqual(one, right))) ? id : null
}

function signature(secret: string, id: string, timestamp: string, body: string | Uint8Array): string {
  const key = standardKey(secret)
  if (!key) throw new Error('not a secret of Standard Webhooks')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

/** What precedes the seed in PKCS #8 (RFC 8410). */
const PKCS8_BEGINNING = Buffer.from('302e020100300506032b657004220420', 'hex')

function ed25519Key(privateKey: string): KeyObject {
  const seed = Buffer.from(privateKey.slice(PRIVATE_PREFIX.length), 'base64')
  if (!privateKey.startsWith(PRIVATE_PREFIX) || seed.length !== 32) throw new Error('not a key of Standard Webhooks')
  return createPrivateKey({ key: Buffer.concat([PKCS8_BEGINNING, seed]), format: 'der', type: 'pkcs8' })
}
