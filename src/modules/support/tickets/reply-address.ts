// The address to which somebody answers the mails about a ticket. Nothing is stored: it is signed, and names the
// organization, the ticket and the account that the mail went to (docs/interface/support.md, Answers by mail).
import { derive, isEqual } from '#kernel/keys/secrets.ts'

export type ReplyTarget = { organizationId: number; ticketId: number; userId: number }

/** What comes before the @ has at most 64 characters (RFC 5321, 4.5.3.1.1). */
const LONGEST_LOCAL_PART = 64
/** Of 16 bytes, in the digits of base 36: mail servers may write a local part in small letters. */
const MAC_DIGITS = 25

/** Null where the address would be too long. */
export function replyAddress(secretKey: string, mailbox: string, target: ReplyTarget): string | null {
  const at = mailbox.lastIndexOf('@')
  const local = `${mailbox.slice(0, at)}+${tokenFor(secretKey, target)}`
  return local.length > LONGEST_LOCAL_PART ? null : `${local}${mailbox.slice(at)}`
}

/** What the first genuine of the addresses names, else null. */
export function replyTarget(secretKey: string, addresses: readonly string[]): ReplyTarget | null {
  for (const address of addresses) {
    const [, token = ''] = /\+([^+@]+)@[^@]+$/.exec(address.toLowerCase()) ?? []
    const found = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-([0-9a-z]{1,10})-[0-9a-z]{25}$/.exec(token)
    const [organizationId, ticketId, userId] = (found ?? []).slice(1).map((id) => Number.parseInt(id, 36))
    if (organizationId === undefined || ticketId === undefined || userId === undefined) continue
    const target = { organizationId, ticketId, userId }
    if (isEqual(token, tokenFor(secretKey, target))) return target
  }
  return null
}

function tokenFor(secretKey: string, { organizationId, ticketId, userId }: ReplyTarget): string {
  const mac = derive(secretKey, 'ticket-reply', organizationId, ticketId, userId).subarray(0, 16)
  const digits = BigInt(`0x${mac.toString('hex')}`)
    .toString(36)
    .padStart(MAC_DIGITS, '0')
  return [...[organizationId, ticketId, userId].map((id) => id.toString(36)), digits].join('-')
}
