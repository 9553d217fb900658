// The token of an invite is mailed and never stored. The row has its digest, and a nonce from which the job that mails
// it derives it again with the service's key.
import type { IoContext } from '#kernel/data/context.ts'
import { derive, digest, randomToken } from '#kernel/keys/secrets.ts'
import { fromNow } from '#kernel/values/time/clock.ts'

const SEVEN_DAYS = 7 * 86_400

export type Invitation = { invite_nonce: string; invite_digest: string; invite_expires_at: string }

export const inviteToken = (secretKey: string, nonce: string): string =>
  derive(secretKey, 'invite', nonce).toString('base64url')

/** In PostgreSQL's hex notation for bytea. */
export const inviteDigest = (token: string): string => `\\x${digest(token).toString('hex')}`

/** A new token; the previous one stops working as soon as this is stored. */
export function generateInvitation(io: IoContext): Invitation {
  const nonce = randomToken()
  return {
    invite_nonce: nonce,
    invite_digest: inviteDigest(inviteToken(io.ports.secretKey, nonce)),
    invite_expires_at: fromNow(io, SEVEN_DAYS).toISOString(),
  }
}
