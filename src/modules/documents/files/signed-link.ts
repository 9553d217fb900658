// Signed links: a token that lets anybody read one file of one organization for one purpose, until it expires.
import type { Ports } from '#kernel/data/context.ts'
import { derive, isEqual } from '#kernel/keys/secrets.ts'
import { sql } from '#kernel/values/sql.ts'
import { numberIn } from '#ports/settings-in-force.ts'
import { type Clock, fromNow } from '#kernel/values/time/clock.ts'

/** In place of an organization: the vendor's own files. */
export const OF_VENDOR = 0

export type SignedLink = {
  /** A link for one purpose is none for another. */
  purpose: string
  /** The organization that the link was made for; `OF_VENDOR` for none. */
  organizationId: number
  /** The file, in the numbering of its area. */
  id: number
  expiresAt: Date
}

/** For how long a link counts that is made now; the statement travels with those that find the file. */
export const linkMinutes = ({ ports: { settings } }: { ports: Pick<Ports, 'settings'> }) => sql<{ minutes: number }>`
  select ${numberIn(settings, 'download_link_minutes')} as minutes`

/** A link to the file (`GET /files/{token}`), and until when it counts. */
export function signedLink(
  asked: Clock & { ports: Ports },
  { minutes, ...link }: Omit<SignedLink, 'expiresAt'> & { minutes: number },
): { url: string; expires_at: string } {
  const { ports } = asked
  const { publicUrl } = ports.settings
  // Whole seconds, as the token has them.
  const seconds = Math.floor(fromNow(asked, minutes * 60).getTime() / 1000)
  const expiresAt = new Date(seconds * 1000)
  const token = linkToken(ports, { ...link, expiresAt })
  return { url: fileUrl(publicUrl, token), expires_at: expiresAt.toISOString() }
}

export const fileUrl = (publicUrl: string, token: string): string => `${publicUrl}/api/v1/files/${token}`

/** Whether the token has the form of a signed one. */
export const isSigned = (token: string): boolean => SIGNED.test(token)
const SIGNED = /^(0|[1-9]\d{0,15})\.([1-9]\d{0,15})\.([1-9]\d{0,11})\.([\w-]{43})$/

/** For a segment of a path. It is no secret of the service, but whoever has it may read the file. */
export function linkToken({ secretKey }: Pick<Ports, 'secretKey'>, link: SignedLink): string {
  const seconds = Math.floor(link.expiresAt.getTime() / 1000)
  const parts = [link.organizationId, link.id, seconds]
  return [...parts, signatureOf(secretKey, link.purpose, parts)].join('.')
}

/** Null for a token that was not made here for this purpose, was changed, or has expired. */
export function readLinkToken(
  { secretKey }: Pick<Ports, 'secretKey'>,
  purpose: string,
  { token, now }: { token: string; now: Date },
): SignedLink | null {
  const [, organization = '', file = '', expiry = '', signature = ''] = SIGNED.exec(token) ?? []
  const [organizationId, id, seconds] = [Number(organization), Number(file), Number(expiry)] as const
  if (!isEqual(signature, signatureOf(secretKey, purpose, [organizationId, id, seconds]))) return null
  const expiresAt = new Date(seconds * 1000)
  return expiresAt > now ? { purpose, organizationId, id, expiresAt } : null
}

const signatureOf = (secretKey: string, purpose: string, parts: readonly number[]): string =>
  derive(secretKey, `link:${purpose}`, ...parts).toString('base64url')
