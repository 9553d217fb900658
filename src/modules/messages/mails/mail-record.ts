// A mail that the service has sent or is about to send: to whom, about what, what became of it. Never its text, since
// some mails hold a link that lets somebody in (docs/interface/messages.md, Notices).
import { Type, type Static } from 'typebox'
import type { Scope } from '#kernel/values/permissions.ts'
import type { StaffScope } from '#kernel/values/staff-roles.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { AnyOf, Closed, Email, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'refused', 'dropped'] as const
const MailStatus = Type.Enum(MAIL_STATUSES, {
  description:
    '`sent`: the mail server has taken it; `failed`: the last attempt failed, see `/admin/jobs` for the ' +
    'next; `refused`: the mail server never takes it; `dropped`: it would have been out of date, or its ' +
    'recipient may not get it any more',
  examples: ['sent'],
})
export type MailStatus = Static<typeof MailStatus>

const Kind = Type.String({ minLength: 1, maxLength: 100, examples: ['invoice-open'] })

export const MailRecord = Type.Object(
  {
    id: Id,
    organization_id: Nullable({ ...Id, description: 'Null: about an account' }),
    kind: Kind,
    resource_id: Nullable({ ...Id, description: 'The record whose event caused it' }),
    user_id: Nullable({ ...Id, description: 'Null: an address without an account, or a mail about an account' }),
    email: Nullable(Email),
    status: MailStatus,
    subject: Nullable(
      Type.String({
        description: 'Null until the first attempt, and for those who may not read what the mail is about',
        examples: ['Invoice BR-000042'],
      }),
    ),
    error: Nullable(Type.String({ description: 'Of the last attempt', examples: ['550 mailbox unavailable'] })),
    attempts: Type.Integer({ minimum: 0, examples: [1] }),
    resend_of: Nullable({ ...Id, description: 'The mail that staff have sent again' }),
    created_at: Timestamp,
    sent_at: Nullable(Timestamp),
  },
  { description: 'A mail, without its text' },
)
export type MailRecord = Static<typeof MailRecord>

export const MailFilters = Closed({
  ...Paging,
  organization_id: Type.Optional(Id),
  email: Type.Optional(Email),
  kind: Type.Optional(Kind),
  status: AnyOf(MailStatus),
})
export type MailFilters = Static<typeof MailFilters>

/** As admins of the organization see it: what a mail server or the service says of a failure is for staff. */
export const MailToPeople = Type.Object(Type.Omit(MailRecord, ['organization_id', 'error', 'resend_of']).properties, {
  description: 'A mail to somebody in the organization, without its text',
})
export type MailToPeople = Static<typeof MailToPeople>

export const MailsToPeople = Closed({
  ...Paging,
  email: Type.Optional(Email),
  kind: Type.Optional(Kind),
  status: AnyOf(MailStatus),
})
export type MailsToPeople = Static<typeof MailsToPeople>

/** A kind of mail that goes to people of organizations; with which scope one may know of it. */
export type KindToPeople = {
  readonly kind: string
  readonly needs: { readonly members: { readonly scope: Scope | null } | null; readonly staff: StaffScope }
}

/**
 * One job for each recipient, so that a mail that fails does not hold up the others. `user_id` is null for a bare
 * address, which is in the record of the mail.
 */
export const mailRecipient = jobKind('notifications/mail', {
  mail: Type.String(),
  resource_id: Id,
  user_id: Nullable(Id),
  mail_id: Type.Optional(Id),
})
