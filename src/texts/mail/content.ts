// What each mail says: the facts that the service gives, and the words that a language makes of them.

import type { InviteRole } from '../roles.ts'
import type { TicketPriorityName, TicketStatusName } from '../tickets.ts'

/** Links are absolute; moments are ISO 8601, days `YYYY-MM-DD`, amounts decimal strings. */
type Contents = {
  'verify-account': { name: string; link: string; expiresAt: string }
  /** Registration with an address alone: prove it, then set a password. */
  'set-password': { link: string; expiresAt: string }
  'reset-password': { name: string; link: string; expiresAt: string }
  /** To the new address. */
  'email-change': { name: string; newEmail: string; link: string; expiresAt: string }
  /** To the old address, while the new one waits for its proof and once it counts. Nulls when nothing can be undone. */
  'email-change-requested': { name: string; newEmail: string; link: string | null; expiresAt: string | null }
  'email-changed': { name: string; newEmail: string; link: string | null; expiresAt: string | null }
  'password-changed': { name: string; changedAt: string }
  invite: { organizationName: string; inviterName: string | null; role: InviteRole; link: string; expiresAt: string }
  'invite-accepted': { organizationName: string; memberName: string; memberEmail: string; link: string | null }
  'quote-sent': Sum & {
    organizationName: string
    number: string
    /** The version before, which this one replaces. */
    replaces: string | null
    validUntil: string | null
    link: string | null
  }
  'quote-expiring': Sum & { organizationName: string; number: string; validUntil: string; link: string | null }
  'quote-accepted': Sum & { organizationName: string; number: string; link: string | null }
  'payment-received': Sum & { organizationName: string; number: string; paidAt: string; link: string | null }
  /** `total` is what was given back; `number` the invoice's. */
  'refund-succeeded': Sum & {
    organizationName: string
    number: string
    creditNoteNumber: string | null
    link: string | null
  }
  /** Written by hand: what comes of a quote has been told with it. */
  'invoice-open': Sum & { organizationName: string; number: string; dueDate: string; link: string | null }
  'quote-fulfilled': { organizationName: string; number: string; provisioned: Provisioned[]; link: string | null }
  'entitlement-expiring': Expiring
  'license-expiring': Expiring
  'maintenance-scheduled': Maintenance
  'maintenance-changed': Maintenance
  'maintenance-cancelled': Maintenance
  /** The customer accepts or refuses what was delivered. */
  'service-delivered': { organizationName: string; serviceName: string; note: string | null; link: string | null }
  'contract-ending': { organizationName: string; title: string; endDate: string; link: string | null }
  /** The time in which notice is given or the next contract agreed has begun. */
  'contract-notice': { organizationName: string; title: string; endDate: string; link: string | null }
  'tax-invoice-issued': Sum & {
    organizationName: string
    number: string
    invoiceNumber: string
    accessKey: string
    issuedAt: string
    link: string | null
  }
  'ticket-opened': About & { authorName: string; priority: TicketPriorityName; text: string | null }
  'ticket-commented': About & { authorName: string; text: string; internal: boolean }
  'ticket-moved': About & {
    /** Null: the service itself. */
    authorName: string | null
    from: TicketStatusName
    to: TicketStatusName
    text: string | null
  }
}

export type MailKind = keyof Contents
export type MailContent<Kind extends MailKind = MailKind> = { [K in Kind]: { kind: K } & Contents[K] }[Kind]

export type Provisioned = { name: string; entitlementCode: string }
type Expiring = {
  organizationName: string
  name: string
  code: string
  expiresAt: string
  daysLeft: number
  link: string | null
}
type Maintenance = {
  organizationName: string
  environmentName: string
  startsAt: string
  endsAt: string
  note: string | null
  link: string | null
}
type Sum = { total: string; currency: string }
type About = { organizationName: string; number: string; title: string; link: string | null }

/** Who writes: the vendor's name as customers know it, and the zone in which its times are told. */
export type Brand = { name: string; timeZone: string }

/** One language's formats, and the writer's name. */
export type Voice = {
  brand: string
  date: (day: string) => string
  time: (moment: string) => string
  money: (amount: string, currency: string) => string
}

/** A mail in plain words, one line each; the layout alone knows HTML. */
export type MailWords = {
  subject: string
  /** What mail clients show beside the subject. */
  preheader: string
  heading: string
  paragraphs: string[]
  facts: { label: string; value: string }[]
  /** Names the link; shown only if there is one. */
  button: string | null
  notes: string[]
}

export type MailTexts = {
  kinds: { [Kind in MailKind]: (content: MailContent<Kind>, voice: Voice) => MailWords }
  /** Above the bare address of the button. */
  linkFallback: string
  footer: (brand: string) => string
}
