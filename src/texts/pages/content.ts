// The texts of the pages.

import type { InvoicePageTexts } from './invoice-content.ts'
import type { ErrorCode } from '#kernel/values/errors.ts'
import type { Reason } from '#kernel/values/reasons.ts'
import type { InviteRole } from '../roles.ts'

export type PageTexts = {
  errors: ErrorTexts
  start: {
    title: string
    lead: string
    console: Link
    docs: Link
    mail: Link
    health: Link
    keys: Link
  }
  /** Of /docs, until its script has drawn it. */
  reference: Record<'title' | 'lead' | 'parts' | 'home', string>
  verifyAccount: {
    title: string
    lead: string
    email: string
    password: string
    passwordHint: string
    wrongPassword: string
    button: string
    incomplete: string
    done: string
    doneLead: string
    badLink: string
  }
  undoEmailChange: {
    title: string
    lead: string
    email: string
    button: string
    incomplete: string
    badLink: string
    taken: string
  }
  /** Of the mail about a sign-in from a new device. */
  endSessions: {
    title: string
    lead: string
    button: string
    done: string
    doneLead: string
    incomplete: string
    badLink: string
  }
  /** The next step, if the account has no password. */
  newPassword: {
    verified: string
    verifiedLead: string
    undone: string
    undoneLead: string
    email: string
    password: string
    button: string
    done: string
    doneLead: string
    late: string
  }
  resetPassword: {
    title: string
    lead: string
    email: string
    password: string
    button: string
    incomplete: string
    done: string
    doneLead: string
    badLink: string
  }
  password: { hint: string; show: string; hide: string }
  invites: {
    title: string
    checking: string
    lead: string
    organization: string
    role: string
    email: string
    validUntil: string
    roles: Record<InviteRole, string>
    incomplete: string
    over: string
    badLink: string
    choose: string
    signIn: string
    register: string
    name: string
    password: string
    signInButton: string
    registerButton: string
    wrongPassword: string
    knownAddress: string
    decide: string
    accept: string
    reject: string
    otherAddress: string
    accepted: string
    acceptedLead: string
    rejected: string
    rejectedLead: string
  }
  /** Single sign-on. */
  sso: {
    title: string
    lead: string
    email: string
    button: string
    unknown: string
    finishing: string
    refused: string
    /** By the reason of the refusal; for others there is `refused`. */
    reasons: Partial<Record<Reason, string>>
    unavailable: string
    again: string
    /** A program on the person's machine signs in. */
    program: string
    programLead: string
    programButton: string
  }
  /** The step of a sign-in after the password, or after single sign-on. */
  secondFactor: {
    lead: string
    code: string
    button: string
    wrongCode: string
    late: string
  }
  /** Of the link in a mail by which its recipient switches off mails of that kind. */
  unsubscribe: {
    title: string
    lead: (kind: string, organization: string) => string
    /** For an address without an account. */
    contactLead: (kind: string, organization: string) => string
    button: string
    done: string
    doneLead: (kind: string, organization: string) => string
    again: string
    badTitle: string
    badLink: string
  }
  /** Of the link in the mail to a new contact. */
  confirmContact: {
    title: (organization: string) => string
    lead: string
    button: string
    done: string
    doneLead: (organization: string) => string
    badTitle: string
    badLink: string
  }
  /** Of a public link. */
  quote: {
    title: (number: string) => string
    lead: (seller: string, customer: string) => string
    pdf: string
    /** Beside the box of an optional line. */
    include: string
    recalculate: string
    accept: string
    name: string
    email: string
    purchaseOrder: string
    acceptButton: string
    /** What is kept of an acceptance. */
    evidence: string
    noConsent: string
    reject: string
    reason: string
    rejectButton: string
    /** `by` is null when a member answered. */
    accepted: (by: string | null, at: string) => string
    rejected: (by: string | null) => string
    replaced: (number: string) => string
    over: string
    /** The organization has to be verified first. */
    notYet: string
    pay: string
    noTitle: string
    badLink: string
  }
  invoice: InvoicePageTexts
  mail: {
    title: string
    lead: string
    empty: string
    to: string
    from: string
    subject: string
    date: string
    noSubject: string
    answer: string
    answerText: string
    answerHint: string
    answerButton: string
    back: string
    html: string
    attachments: string
    text: string
  }
  /** Where the console is not there. */
  console: { title: string; unbuilt: string }
  /** A button that leads to the console, or the vendor's own portal. */
  toPortal: string
  notFound: { title: string; lead: string; back: string }
  noScript: string
  /** The link at the foot to where customers find help. */
  support: string
  working: string
}

export type ErrorTexts = {
  /** By `errors.code` of the API's envelope. */
  codes: Record<ErrorCode, string>
  /** By the name of the field in `errors.fields` of the API's envelope. */
  fields: { email: string; password: string; name: string }
  unknown: string
  offline: string
}

type Link = { label: string; about: string }
