// Where data about a person is kept: every column that refers to an account, what of its rows an export of the person
// has, and which copies an erasure clears. test/sweeps/personal-data.test.ts compares it with the database.
import { raw, type Statement, sql } from '#kernel/values/sql.ts'

type Personal = {
  /**
   * `row`: the row is about the person, or they wrote it. `reference`: the row is an organization's record in which the
   * person had a part; which record, when, and as what, is theirs.
   */
  readonly exports: 'row' | 'reference'
  /** Columns that hold a copy of the name or of an address, and what an erasure writes there. */
  readonly erased?: Readonly<Record<string, string | null>>
  /** The same, when the years of fiscal law are over. */
  readonly erasedLater?: Readonly<Record<string, null>>
}

/** In place of a name that is gone. */
export const ERASED = 'erased'

/** By table and column that holds the id of the account. */
export const PERSONAL: Readonly<Record<string, Personal>> = {
  'users.id': { exports: 'row' },
  'users.appointed_by': { exports: 'reference' },
  'sessions.user_id': { exports: 'row' },
  'known_addresses.user_id': { exports: 'row' },
  'address_undos.user_id': { exports: 'row' },
  'totp_factors.user_id': { exports: 'row' },
  'recovery_codes.user_id': { exports: 'row' },
  'passkeys.user_id': { exports: 'row' },
  'api_keys.user_id': { exports: 'row', erased: { name: ERASED } },
  'consents.user_id': { exports: 'row', erased: { ip: null } },
  'person_exports.user_id': { exports: 'row' },
  'person_exports.requested_by': { exports: 'reference' },
  'organization_exports.requested_by': { exports: 'reference' },
  'audit_exports.requested_by': { exports: 'reference' },
  'erasures.user_id': { exports: 'row' },
  'erasures.requested_by': { exports: 'reference' },
  'organization_erasures.requested_by': { exports: 'reference' },
  'collaborators.user_id': { exports: 'row' },
  'collaborators.parent_user_id': { exports: 'reference' },
  'tickets.created_by': { exports: 'row' },
  'tickets.assignee_id': { exports: 'reference' },
  'ticket_comments.author_id': { exports: 'row', erased: { author_name: ERASED } },
  'ticket_attachments.uploaded_by': { exports: 'row' },
  'ticket_history.changed_by': { exports: 'reference', erased: { changed_by_name: ERASED } },
  'contract_history.changed_by': { exports: 'reference', erased: { changed_by_name: ERASED } },
  'environment_history.changed_by': { exports: 'reference', erased: { changed_by_name: ERASED } },
  'service_history.changed_by': { exports: 'reference', erased: { changed_by_name: ERASED } },
  'documents.uploaded_by': { exports: 'reference' },
  'document_versions.uploaded_by': { exports: 'row' },
  'document_accesses.user_id': { exports: 'row', erased: { reader: ERASED, ip: null } },
  'document_shares.created_by': { exports: 'row', erased: { created_by_name: ERASED } },
  'quotes.created_by': { exports: 'reference' },
  'quote_links.created_by': { exports: 'reference', erased: { created_by_name: ERASED } },
  'quote_requests.requested_by': { exports: 'row', erased: { requested_by_name: ERASED } },
  'orders.customer_id': {
    exports: 'reference',
    erasedLater: { billing_name: null, billing_email: null, billing_address: null },
  },
  'invoices.user_id': { exports: 'reference' },
  'payments.recorded_by': { exports: 'reference' },
  'refunds.requested_by': { exports: 'reference' },
  'credit_balance_entries.recorded_by': { exports: 'reference' },
  'affiliate_payouts.requested_by': { exports: 'reference' },
  'crm_proposals.decided_by': { exports: 'reference' },
  'organizations.owner_id': { exports: 'reference' },
  'webhook_endpoints.user_id': { exports: 'reference' },
  'imports.created_by': { exports: 'reference', erased: { created_by_name: ERASED } },
  'staff_entries.user_id': { exports: 'row', erased: { user_name: ERASED } },
  'exports.created_by': { exports: 'reference', erased: { created_by_name: ERASED } },
  'inbox_entries.user_id': { exports: 'row' },
  'mails.user_id': { exports: 'row' },
  'notice_preferences.user_id': { exports: 'row' },
  'organization_contacts.user_id': { exports: 'row' },
  'queue_assignments.assignee_id': { exports: 'reference' },
  'sso_identities.user_id': { exports: 'row' },
  'vendor_keys.created_by': { exports: 'reference' },
}

/** Columns that refer to an account and hold nothing that lasts, with the reason. */
export const NOT_PERSONAL: Readonly<Record<string, string>> = {
  'user_tokens.user_id': 'mailed tokens, which end within days',
  'refresh_tokens.session_id': 'tokens of sessions',
  'sign_in_challenges.user_id': 'ends within minutes',
  'passkey_challenges.user_id': 'ends within minutes',
  'code_attempts.user_id': 'a counter of minutes',
}

/** No export has a column with such a name: keys, digests, tokens, and where files are. */
export const SECRET_COLUMN =
  /digest|nonce|secret|password|token|public_key|credential_id|consumer_key|storage_key|last_step|challenge/

/** Of a row in which a person had a part; those that the table has. */
const OF_REFERENCES: readonly string[] = [
  'id',
  'organization_id',
  'resource',
  'resource_id',
  'created_at',
  'changed_at',
]

export type PersonalTable = { name: string; by: string; columnsOf: (columns: readonly string[]) => string[] }

const isOpen = (column: string): boolean => !SECRET_COLUMN.test(column)

/** The tables that an export of a person has, and which of their columns. */
export const PERSONAL_TABLES: readonly PersonalTable[] = Object.entries(PERSONAL).map(([key, { exports }]) => {
  const [name = '', by = ''] = key.split('.')
  const isOfReference = (column: string): boolean => column === by || OF_REFERENCES.includes(column)
  return { name, by, columnsOf: (columns) => columns.filter(exports === 'row' ? isOpen : isOfReference) }
})

/**
 * `addresses`: those that the person has had and nobody else has; none where they never proved the one of the account.
 */
export type ErasedPerson = { id: number; email: string; name: string; addresses: string[] }

/** Remove what was made for the person alone, by the account or by its addresses. Run again they change nothing. */
export const removeOwn = ({ id, email, addresses }: ErasedPerson): Statement[] => [
  sql`delete from inbox_entries where user_id = ${id}`,
  sql`delete from sso_identities where user_id = ${id}`,
  sql`delete from organization_contacts where user_id = ${id} or lower(email) = any(${addresses}::text[])`,
  sql`delete from muted_addresses where email = any(${addresses}::text[])`,
  sql`delete from contact_confirmations where email = any(${addresses}::text[])`,
  sql`delete from mails where user_id = ${id} or email = any(${addresses}::text[])`,
  // Those about the account alone, also to an address that was never proven.
  sql`delete from mails where organization_id is null and user_id is null
    and (email = lower(${email}) or kind = 'email-change' and email in (
    select lower(details ->> 'email') from service_audit where resource = 'user' and resource_id = ${id}
      and action = 'email_change_requested'))`,
]

/** Clear the copies that other records have, each in one table. Run again they change nothing. */
export const clearCopies = ({ id, name, addresses }: ErasedPerson): Statement[] => [
  ...cleared(id, ({ erased }) => erased),
  // What staff wrote about why they enter an organization, as in the audit log.
  sql`update staff_entries set reason = without_person(reason, addresses_pattern(${addresses}::text[]), ${name},
    ${erasedAddress(id)}, true)
       where reason ~* addresses_pattern(${addresses}::text[])`,
]

const erasedAddress = (id: number): string => `erased-${id}@erased.invalid`

/** The same for what fiscal law made keep. */
export const clearKeptCopies = (userId: number): Statement[] => cleared(userId, ({ erasedLater }) => erasedLater)

const cleared = (userId: number, valuesOf: (column: Personal) => Personal['erased']): Statement[] =>
  Object.entries(PERSONAL).flatMap(([key, personal]) => {
    const erased = valuesOf(personal)
    if (!erased) return []
    const [table = '', by = ''] = key.split('.')
    const values = Object.entries(erased).map(
      ([column, value]) => `${column} = ${value === null ? 'null' : `'${value}'`}`,
    )
    return sql`update ${raw(table)} set ${raw(values.join(', '))} where ${raw(by)} = ${userId}`
  })
