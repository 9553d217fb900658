// The content of each mail: the facts from the service, and the words of one language for them.

import type { Brand } from '../brand.ts'
import type { AccessAhead, InvoiceContents } from './invoice-contents.ts'
import type { StaffRoleName } from '#kernel/values/staff-roles.ts'
import type { KeyContents } from './key-contents.ts'
import type { ContactRoleName } from '../contacts.ts'
import type { InviteRole } from '../roles.ts'
import type { TicketContents } from './ticket-contents.ts'

/** Links are absolute; moments are ISO 8601, days `YYYY-MM-DD`, amounts decimal strings. */
type Contents = KeyContents &
  InvoiceContents &
  TicketContents & {
    'verify-account': { name: string; link: string; expiresAt: string }
    /** After a registration without a password: verify the address, then set one. */
    'set-password': { link: string; expiresAt: string }
    'reset-password': { name: string; link: string; expiresAt: string }
    /** To the new address. */
    'email-change': { name: string; newEmail: string; link: string; expiresAt: string }
    /** To the old address: before the new one is verified, and again after. Nulls when the change cannot be undone. */
    'email-change-requested': { name: string; newEmail: string; link: string | null; expiresAt: string | null }
    'email-changed': { name: string; newEmail: string; link: string | null; expiresAt: string | null }
    'password-changed': { name: string; changedAt: string }
    /** `device`: what the program calls itself; null where that says nothing. `link`: ends all sessions. */
    'new-sign-in': {
      name: string
      device: string | null
      ip: string | null
      at: string
      link: string
      expiresAt: string
    }
    'security-notice': { name: string; notice: SecurityNotice; at: string }
    /** About the roles of staff of a person: to the person (`isOwn`), and to the administrators. */
    'staff-roles': {
      name: string
      isOwn: boolean
      person: string
      email: string
      before: StaffRoleName[]
      after: StaffRoleName[]
      changedBy: string
      changedAt: string
      reason: string
    }
    invite: {
      organizationName: string
      inviterName: string | null
      role: InviteRole
      link: string | null
      expiresAt: string
    }
    /** To an address that was named as a contact. */
    'contact-confirmation': { organizationName: string; roles: ContactRoleName[]; link: string | null }
    /** To the owner: all contacts, as they are now. */
    'contacts-changed': {
      organizationName: string
      contacts: { role: ContactRoleName; email: string }[]
      link: string | null
    }
    'invite-accepted': { organizationName: string; memberName: string; memberEmail: string; link: string | null }
    /** To the member, and to the owner. */
    'membership-expiring': { organizationName: string; memberName: string; endsAt: string; link: string | null }
    'quote-sent': Sum & {
      organizationName: string
      number: string
      /** The number of the version that this one replaces. */
      replaces: string | null
      validUntil: string | null
      link: string | null
    }
    'quote-expiring': Sum & { organizationName: string; number: string; validUntil: string; link: string | null }
    /** To staff. */
    'quote-requested': {
      organizationName: string
      requestedBy: string
      products: ProductLine[]
      notes: string | null
      link: string | null
    }
    'quote-request-declined': { organizationName: string; products: ProductLine[]; reason: string; link: string | null }
    /** To staff: a draft that the service has made. `endsOn`: the first of them to end. */
    'renewal-drafted': Sum & {
      organizationName: string
      number: string
      renewed: NamedItem[]
      endsOn: string
      /** Indexes by which it should have been adjusted, with the months that had no rate. */
      unadjusted: { priceIndex: string; months: string[] }[]
      link: string | null
    }
    'quote-accepted': Sum & { organizationName: string; number: string; link: string | null }
    'payment-received': Sum & { organizationName: string; number: string; paidAt: string; link: string | null }
    /** `total`: the refunded amount. `number`: of the invoice; null: of the credit balance. */
    'refund-succeeded': Sum & {
      organizationName: string
      number: string | null
      creditNoteNumber: string | null
      link: string | null
    }
    /**
     * `owed`: what is overdue. `renewalDue`: the day of a next payment that has no invoice; null: none. `stops`: no
     * further invoices are made.
     */
    'entitlements-suspended': {
      organizationName: string
      suspended: NamedItem[]
      owed: OwedInvoice[]
      renewalDue: string | null
      stops: boolean
      link: string | null
    }
    'entitlements-resumed': { organizationName: string; resumed: NamedItem[]; link: string | null }
    /** `total`: what was paid. `number`: of the invoice; null: in advance. `balance`: after this payment. */
    'payment-surplus': Sum & {
      organizationName: string
      number: string | null
      surplus: string
      balance: string
      link: string | null
    }
    /**
     * Recorded on the wrong invoice. `number`: of that one; null: in advance. `owed`: what is due of it again.
     * `newNumber`: of the organization's invoice that it counts for now.
     */
    'payment-moved': Sum & {
      organizationName: string
      number: string | null
      paidOn: string
      owed: { due: string; dueDate: string } | null
      newNumber: string | null
      link: string | null
    }
    /** Of an order that is charged automatically. `number`: of the order. `link`: where it is paid. */
    'charge-failed': Sum & AccessAhead & { organizationName: string; number: string; link: string | null }
    /** `number`: of the order. `endsAt`: null where it is not known yet. `isOwn`: by the customer. */
    'subscription-cancelled': {
      organizationName: string
      number: string
      reason: string | null
      endsAt: string | null
      isOwn: boolean
      hasEnded: boolean
      link: string | null
    }
    /** `total`: the amount of the payout. `code`: of the affiliate. */
    'payout-paid': Sum & { organizationName: string; code: string; reference: string | null; link: string | null }
    'payout-rejected': Sum & { organizationName: string; code: string; reason: string | null; link: string | null }
    'quote-fulfilled': { organizationName: string; number: string; provisioned: NamedItem[]; link: string | null }
    'entitlement-expiring': Expiring
    'license-expiring': Expiring
    'maintenance-scheduled': Maintenance
    'maintenance-changed': Maintenance
    'maintenance-cancelled': Maintenance
    /** Asks the customer to accept or reject the delivery. */
    'service-delivered': { organizationName: string; serviceName: string; note: string | null; link: string | null }
    'contract-ending': { organizationName: string; title: string; endDate: string; link: string | null }
    /** The notice period before the end of the contract has begun. */
    'contract-notice': { organizationName: string; title: string; endDate: string; link: string | null }
    /** `failingSince`: null where nothing was sent because nobody's scopes count. */
    'webhook-endpoint-disabled': {
      organizationName: string
      address: string
      reason: 'gone' | 'failing' | 'not_a_member'
      failingSince: string | null
      link: string | null
    }
    'tax-invoice-issued': Sum & {
      organizationName: string
      number: string
      invoiceNumber: string
      accessKey: string
      issuedAt: string
      link: string | null
    }
  }

/** A change of how somebody signs in to their account; also the action in the audit log. */
export const SECURITY_NOTICES = [
  'mfa_enabled',
  'mfa_disabled',
  'recovery_codes_renewed',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'sso_linked',
  'erasure_requested',
] as const
export type SecurityNotice = (typeof SECURITY_NOTICES)[number]

export type MailKind = keyof Contents
export type MailContent<Kind extends MailKind = MailKind> = { [K in Kind]: { kind: K } & Contents[K] }[Kind]

type ProductLine = { name: string; quantity: number }
export type NamedItem = { name: string; entitlementCode: string }
export type OwedInvoice = Sum & { number: string; dueDate: string }
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

/** The brand of the legal entity, whose logo is an address, and the time zone of the times in its mails. */
export type Sender = Brand & { timeZone: string }

/** The formats of one language, and the sender's name. */
export type Voice = {
  brand: string
  date: (day: string) => string
  month: (month: string) => string
  time: (moment: string) => string
  money: (amount: string, currency: string) => string
}

/** The texts of a mail, each of one line. Only the layout has HTML. */
export type MailWords = {
  subject: string
  /** The preview that mail clients show next to the subject. */
  preheader: string
  heading: string
  paragraphs: string[]
  facts: { label: string; value: string }[]
  /** The label of the button, used only if there is a link. */
  button: string | null
  notes: string[]
}

export type MailTexts = {
  kinds: { [Kind in MailKind]: (content: MailContent<Kind>, voice: Voice) => MailWords }
  /** The line above the button's address in plain text. */
  linkFallback: string
  footer: (brand: string) => string
  /** The link in the footer by which the recipient switches off mails of this kind. */
  unsubscribe: string
  support: string
  answerable: string
}
type Sum = { total: string; currency: string }
