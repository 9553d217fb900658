// Received bodies: HMAC-SHA256 signatures by a shared secret, in forms other than Standard Webhooks, and digests.
import { createHash, createHmac } from 'node:crypto'
import { isEqual } from '#kernel/keys/secrets.ts'

/** `encoding`: in which the sender writes the signature. */
type SignedBody = { parts: readonly (string | Uint8Array)[]; encoding: 'hex' | 'base64' }

/** True when one of the secrets made the signature over the parts, one after the other. */
export function isSignedBy(secrets: readonly string[], signature: string, { parts, encoding }: SignedBody): boolean {
  return secrets.some((secret) => {
    const hmac = createHmac('sha256', secret)
    for (const part of parts) hmac.update(part)
    return isEqual(signature, hmac.digest(encoding))
  })
}

/** Names a body that has no id of its own. */
export const bodyDigest = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')
