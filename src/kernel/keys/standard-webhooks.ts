// Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, in three headers; signed here and verified here.
import { createHmac } from 'node:crypto'
import { isEqual } from './secrets.ts'

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

export type ReceivedHeaders = Record<string, string | string[] | undefined>

/** The key's bytes of `whsec_…`; null when it is none, or not of 24 to 64 bytes. */
export function standardKey(secret: string): Buffer | null {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const key = Buffer.from(encoded, 'base64')
  return key.length >= 24 && key.length <= 64 ? key : null
}

export function standardHeaders(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature(secret, id, timestamp, body)}`,
  }
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
