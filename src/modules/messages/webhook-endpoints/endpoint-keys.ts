// The keys that sign an endpoint's deliveries: derived from a nonce and the service's key, so that none is stored
// (docs/decisions/0042-webhook-deliveries.md).
import { derive, randomToken } from '#kernel/keys/secrets.ts'
import { standardPrivateKey, standardPublicKey, standardSecret } from '#ports/standard-webhooks.ts'
import type { Signature } from './webhook-endpoint.ts'

/** `secret` is null for `v1a`, whose private key never leaves the service; `public_key` is null for `v1`. */
export type NewKey = { secret_nonce: string; secret: string | null; public_key: string | null }

export function newKey(secretKey: string, signature: Signature): NewKey {
  const nonce = randomToken()
  const key = keyOf(secretKey, signature, nonce)
  return signature === 'v1a'
    ? { secret_nonce: nonce, secret: null, public_key: standardPublicKey(key) }
    : { secret_nonce: nonce, secret: key, public_key: null }
}

export type KeyNonces = {
  signature: Signature
  secret_nonce: string
  previous_secret_nonce: string | null
  previous_secret_until: string | null
}

/** The newest first; the one before it as long as both count. */
export function signingKeys(secretKey: string, endpoint: KeyNonces, now: Date): string[] {
  const { signature, secret_nonce, previous_secret_nonce, previous_secret_until } = endpoint
  const isOverlap = previous_secret_until !== null && Date.parse(previous_secret_until) > now.getTime()
  const nonces = isOverlap && previous_secret_nonce !== null ? [secret_nonce, previous_secret_nonce] : [secret_nonce]
  return nonces.map((nonce) => keyOf(secretKey, signature, nonce))
}

function keyOf(secretKey: string, signature: Signature, nonce: string): string {
  const bytes = derive(secretKey, `webhook-endpoint-${signature}`, nonce)
  return signature === 'v1a' ? standardPrivateKey(bytes) : standardSecret(bytes)
}
