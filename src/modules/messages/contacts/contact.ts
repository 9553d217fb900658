// A contact of the organization: a member or an address that it names for a subject (docs/interface/messages.md,
// Notices).
import { Type, type Static } from 'typebox'
import type { Scope } from '#kernel/values/permissions.ts'
import { table } from '#kernel/data/table.ts'
import { Closed, Email, Id, Name, Nullable, Timestamp } from '#kernel/values/schema.ts'

export const CONTACT_ROLES = ['billing', 'technical', 'legal'] as const
export const ContactRoleName = Type.Enum(CONTACT_ROLES, {
  description:
    '`billing`: invoices, payments, reminders; `technical`: environments, maintenance, expiries; `legal`: contracts',
  examples: ['billing'],
})
export type ContactRole = Static<typeof ContactRoleName>

/** The scopes of the mails that a role draws; a test compares them with the announcements. */
export const SCOPES_OF_ROLE: Readonly<Record<ContactRole, readonly Scope[]>> = {
  billing: ['finances'],
  technical: ['entitlements', 'licenses'],
  legal: ['contracts'],
}

const LANGUAGES = ['pt-BR', 'en'] as const
const Language = Type.Enum(LANGUAGES, { description: 'Of the mails to an address', examples: ['pt-BR'] })

const Attachments = Type.Boolean({
  description: 'Its mails bring their papers: invoices and receipts as PDF, tax invoices as PDF and XML',
  examples: [true],
})

export const ContactRow = Type.Object(
  {
    id: Id,
    organization_id: Id,
    role: ContactRoleName,
    user_id: Nullable(Id),
    email: Nullable(Email),
    name: Nullable(Name),
    language: Language,
    attachments: Attachments,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A contact as it is stored' },
)
export const contactsTable = table('organization_contacts', 'contact', ContactRow)

export const Contact = Type.Object(
  {
    id: Nullable({ ...Id, description: 'Null: an address in `contacts_payment` or `contacts_support`' }),
    role: ContactRoleName,
    user_id: Nullable({ ...Id, description: 'A member; null for an address without an account' }),
    email: Email,
    name: Nullable(Name),
    attachments: Attachments,
    gets_mail: Type.Boolean({
      description:
        'false: not confirmed, no member any more, or an address without an account while the organization ' +
        'is not `verified`',
    }),
    is_confirmed: Type.Boolean({
      description:
        'The address has said by the link in a mail that it wants to be a contact; members with a verified ' +
        'account and the scopes of the mails need not',
    }),
    switched_off: Type.Array(Type.String(), {
      description: 'The kinds of notices that an address without an account has switched off by the link in a mail',
      examples: [['refund-succeeded']],
    }),
  },
  { description: 'Whom the organization has named for a subject' },
)
export type Contact = Static<typeof Contact>
export const Contacts = Type.Object({ contacts: Type.Array(Contact) })

export const NewContact = Closed({
  role: ContactRoleName,
  user_id: Type.Optional({ ...Id, description: 'A collaborator' }),
  email: Type.Optional({ ...Email, description: 'Instead of `user_id`' }),
  name: Type.Optional(Name),
  language: Type.Optional({ ...Language, description: 'Of the mails to an address; that of the caller by default' }),
  attachments: Type.Optional({ ...Attachments, description: '`true` by default' }),
})
export type NewContact = Static<typeof NewContact>

export const ByContactToken = Closed({
  token: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The end of the link in the mail',
    examples: ['1.7.b1946ac92492d2347c6235b4d2611184c2f1a0b3d4e'],
  }),
})

export const AskedContact = Type.Object(
  {
    organization_name: Name,
    roles: Type.Array(ContactRoleName, { description: 'What it was named for', examples: [['billing']] }),
    is_confirmed: Type.Boolean({ examples: [false] }),
  },
  { description: 'What an organization has named an address for' },
)
export type AskedContact = Static<typeof AskedContact>

export const ByContact = Closed({ id: Id, contact_id: Id })

export const MOST_CONTACTS = 10
