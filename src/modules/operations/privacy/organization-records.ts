// Which tables an export of an organization has: all that the areas list, but for those with a reason here. A table
// that is new is in it by being listed by its area.
import type { PublishedResource } from '#kernel/data/published.ts'
import { SECRET_COLUMN } from './personal-data.ts'

/** Tables that belong to the vendor, to a person, or to how the service works. */
export const NOT_OF_THE_ORGANIZATION: Readonly<Record<string, string>> = {
  users: 'a person’s own; their export has it',
  user_tokens: 'a person’s own, and secret',
  sessions: 'a person’s own; their export has them',
  refresh_tokens: 'a person’s own, and secret',
  known_addresses: 'a person’s own; their export has them',
  address_undos: 'a person’s own; their export has them',
  totp_factors: 'a person’s own, and secret',
  recovery_codes: 'a person’s own, and secret',
  sign_in_challenges: 'of a sign-in that is under way',
  code_attempts: 'counts guesses',
  passkeys: 'a person’s own; their export has them',
  device_sign_ins: 'of a sign-in that is under way',
  passkey_challenges: 'of a sign-in that is under way',
  consents: 'a person’s own; their export has them',
  person_exports: 'a person’s own; their export has them',
  erasures: 'a person’s own; their export has them',
  organization_erasures: 'of deleted organizations, whose exports nobody can ask for',
  sso_identities: 'a person’s own; their export has them',
  sso_sign_ins: 'of a sign-in that is under way',
  ticket_ratings: 'for whoever was asked, and staff; a person’s export has theirs',
  queue_assignments: 'how the vendor’s staff divide their work',
  teams: 'how the vendor’s staff divide their work',
  team_members: 'how the vendor’s staff divide their work',
  vendor_keys: 'the vendor’s',
  exports: 'of the vendor’s people',
  claims: 'which values are taken; the organization itself has them',
  products: 'the vendor’s catalogue',
  prices: 'the vendor’s catalogue',
  releases: 'published to all customers',
  release_files: 'published to all customers',
  business_hours: 'the vendor’s',
  canned_replies: 'the vendor’s',
  company_settings: 'the vendor’s',
  company_settings_history: 'the vendor’s',
  dunning_schedules: 'the vendor’s',
  price_index_rates: 'published for all',
  municipal_parameters: 'published for all',
  municipal_questions: 'what the vendor asked of municipalities',
  number_series: 'numbers of a legal entity',
  provider_events: 'what others sent to the vendor, mails too; what came of it is in payments, invoices and tickets',
  payment_references: 'ids of the vendor’s payment provider',
  crm_companies: 'ids in the vendor’s CRM',
  crm_deals: 'ids in the vendor’s CRM',
  crm_proposals: 'between the vendor and its CRM',
  commerce_orders: 'how the vendor’s shop agrees with the order',
  dunning_cases: 'when the vendor pursues an invoice; its mails and steps are in the audit log',
  issue_references: 'ids in the vendor’s issue tracker',
  issue_syncs: 'how far the vendor’s issue tracker was read',
  ticket_issue_comments: 'which comment is which in the vendor’s issue tracker',
  imports: 'the vendor’s imports',
  import_rows: 'the vendor’s imports',
  imported_records: 'ids in the system that the vendor imported from',
  staff_entries: 'in the audit log with reason and person',
  webhook_queues: 'how far deliveries are',
  download_counts: 'counts of the vendor',
}

/**
 * Of the kernel's tables. Events are left out: they repeat the records, and the feed shows of them what customers may
 * see.
 */
const ALSO = ['audit_log']

/**
 * In place of a column: what the draft of an invoice was before its number is the vendor's own, as in `GET /audit-log`,
 * and so is how staff divide their work.
 */
export const INSTEAD: Readonly<Record<string, string>> = {
  'tickets.team_id': 'null',
  'audit_log.before': `case when t.resource = 'invoice' and t.action = 'finalized' then null else t.before end`,
}

export type ExportedTable = { name: string; columnsOf: (columns: readonly string[]) => string[] }

/** The columns are those of the customers' record where the table has one, else all but secret ones. */
export function exportedTables({
  tables,
  published,
}: {
  tables: readonly string[]
  published: readonly PublishedResource[]
}): ExportedTable[] {
  const own = tables.filter((name) => !Object.hasOwn(NOT_OF_THE_ORGANIZATION, name))
  return [...own, ...ALSO].map((name) => {
    const record = published.find(({ table }) => table.name === name)?.schema.properties
    const isOpen = (column: string): boolean =>
      !SECRET_COLUMN.test(column) && (record === undefined || Object.hasOwn(record, column))
    return { name, columnsOf: (columns) => columns.filter(isOpen) }
  })
}
