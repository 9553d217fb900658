// The token of an invite: mailed once, never stored. What is stored is its digest, and a nonce from which the mail's
// job derives it again with the service's key.
import type { IoContext } from '#kernel/data/context.ts'
import { derive, digest, randomToken } from '#kernel/keys/secrets.ts'
import '#ports/ports.ts'

const DAYS = 7

export type Invitation = { invite_nonce: string; invite_digest: string; invite_expires_at: string }

export const inviteToken = (secretKey: string, nonce: string): string =>
  derive(secretKey, 'invite', nonce).toString('base64url')

/** In PostgreSQL's notation for bytes. */
export const inviteDigest = (token: string): string => `\\x${digest(token).toString('hex')}`

/** A fresh one; the token before it is dead as soon as this is stored. */
export function generateInvitation({ ports, now }: IoContext): Invitation {
  const nonce = randomToken()
  return {
    invite_nonce: nonce,
    invite_digest: inviteDigest(inviteToken(ports.secretKey, nonce)),
    invite_expires_at: new Date(now.getTime() + DAYS * 86_400_000).toISOString(),
  }
}
