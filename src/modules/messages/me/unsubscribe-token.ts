// The token in the link of a mail by which its recipient switches off mails of that kind, without signing in. Nothing
// is stored: it is signed, and counts as long as the account has the address that the mail went to
// (docs/interface/messages.md), or the address is a contact of the organization (docs/interface/messages.md).
import type { Ports } from '#kernel/data/context.ts'
import { derive, isEqual } from '#kernel/keys/secrets.ts'

/** `userId` is null for a contact without an account. */
export type NoticeMail = { organizationId: number; userId: number | null; kind: string; email: string }
export type UnsubscribeClaim = Omit<NoticeMail, 'email'>

export const UNSUBSCRIBE_PATH = '/unsubscribe'

export const unsubscribeUrl = ({ secretKey, settings }: Ports, mailed: NoticeMail): string =>
  `${settings.publicUrl}${UNSUBSCRIBE_PATH}/${tokenFor(secretKey, mailed)}`

/** No account has this id. */
const NOBODY = 0

function tokenFor(secretKey: Ports['secretKey'], { organizationId, userId, kind, email }: NoticeMail): string {
  const account = userId ?? NOBODY
  const mac = derive(secretKey, 'unsubscribe', organizationId, account, kind, email.toLowerCase())
  return `${organizationId}.${account}.${kind}.${mac.toString('base64url')}`
}

/** What a token says, which counts only once `isGenuine` has compared it with the account. Null: it is no token. */
export function claimedBy(token: string): UnsubscribeClaim | null {
  const [, organizationId, userId, kind] = /^(\d{1,15})\.(\d{1,15})\.([a-z-]{1,100})\.[\w-]{43}$/.exec(token) ?? []
  if (kind === undefined) return null
  return { organizationId: Number(organizationId), userId: Number(userId) === NOBODY ? null : Number(userId), kind }
}

export const isGenuine = ({ secretKey }: Ports, token: string, mailed: NoticeMail): boolean =>
  isEqual(token, tokenFor(secretKey, mailed))
