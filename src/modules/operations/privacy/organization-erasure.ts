// The erasure of an organization that was deleted: what goes, what fiscal law keeps for years, and what stands in its
// way.
import { Type, type Static } from 'typebox'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { LegalBasis } from './consent.ts'

const Status = Type.Enum(['scheduled', 'running', 'kept', 'ending', 'done', 'cancelled'], {
  description:
    '`scheduled`: can be cancelled until `due_at`; `kept`: only what the law demands is left, until ' +
    '`kept_until`; `done`: that went as well',
  examples: ['kept'],
})

export const OrganizationErasure = Type.Object(
  {
    id: Id,
    organization_id: Id,
    status: Status,
    requested_by: Id,
    requested_at: Timestamp,
    due_at: { ...Timestamp, description: 'From then on the organization is erased' },
    kept_until: Nullable({ ...Timestamp, description: 'When the fiscal records go; null before it began' }),
    problem: Nullable(
      Type.String({
        description: 'Why it did not begin when it was due; it is tried again a day later',
        examples: ['Still open: 1 open_invoices'],
      }),
    ),
    ended_at: Nullable(Timestamp),
  },
  { description: 'The erasure of an organization' },
)
export type OrganizationErasure = Static<typeof OrganizationErasure>

const Rows = Type.Integer({ minimum: 0, description: 'How many records there are now', examples: [12] })

export const OrganizationErasurePreview = Type.Object(
  {
    organization_id: Id,
    is_deleted: Type.Boolean({ description: 'Only what was deleted is erased', examples: [true] }),
    erasure: Nullable(OrganizationErasure),
    obstacles: Type.Array(
      Type.Object({
        what: Type.String({ examples: ['open_invoices'] }),
        count: Type.Integer({ minimum: 1, examples: [1] }),
      }),
      { description: 'What has to be settled first' },
    ),
    goes: Type.Array(Type.Object({ what: Type.String({ examples: ['tickets'] }), rows: Rows }), {
      description: 'Records that are removed when it is due',
    }),
    stays: Type.Array(
      Type.Object({
        what: Type.String({ examples: ['invoices'] }),
        rows: Rows,
        legal_basis: LegalBasis,
        until: Nullable({ ...Timestamp, description: 'Null: by another setting (docs/operations.md)' }),
      }),
      { description: 'Records that stay, and until when' },
    ),
  },
  { description: 'What the erasure of an organization removes, and what it leaves' },
)
export type OrganizationErasurePreview = Static<typeof OrganizationErasurePreview>

export const OrganizationErasureFilters = Closed({
  ...Paging,
  status: Type.Optional(Status),
  organization_id: Type.Optional(Id),
})
export type OrganizationErasureFilters = Static<typeof OrganizationErasureFilters>

/**
 * In the order of their removal: what refers to others comes before them. The database's function has the same lists.
 */
export const WORKING_TABLES: readonly string[] = [
  'ticket_issue_comments',
  'issue_references',
  'issue_syncs',
  'ticket_issues',
  'ticket_history',
  'ticket_attachments',
  'ticket_comments',
  'tickets',
  'milestones',
  'service_history',
  'services',
  'site_reports',
  'sites',
  'maintenance_windows',
  'environment_history',
  'environments',
  'document_accesses',
  'document_shares',
  'document_versions',
  'documents',
  'download_counts',
  'licenses',
  'dunning_cases',
  'commerce_orders',
  'crm_deals',
  'crm_companies',
  'crm_proposals',
  'quote_links',
  'quote_requests',
  'webhook_deliveries',
  'webhook_queues',
  'webhook_endpoints',
  'idempotency_keys',
  'inbox_entries',
  'notice_preferences',
  'mails',
  'staff_entries',
  'imported_records',
  'search_terms',
  'claims',
  'organization_contacts',
  'muted_addresses',
  'contact_confirmations',
  'organization_exports',
  'audit_exports',
  'api_keys',
  'collaborators',
  'organization_roles',
  'sso_connections',
  'test_clocks',
  'jobs',
]

/** Those that fiscal law demands, and what they refer to; `quotes` go with `orders`. */
export const FISCAL_TABLES: readonly string[] = [
  'filed_documents',
  'tax_invoice_documents',
  'tax_invoices',
  'credit_balance_entries',
  'credit_notes',
  'refunds',
  'disputes',
  'credit_balances',
  'payments',
  'payment_references',
  'affiliate_entries',
  'commissions',
  'affiliate_payouts',
  'affiliates',
  'contract_history',
  'contracts',
  'invoices',
  'entitlements',
  'orders',
]

/** Rows of these refer to rows of the same table, so all go at once. */
export const SELF_REFERRING: readonly string[] = ['environments', 'contracts', 'tax_invoices', 'invoices']

/** Of the tables with an organization that no erasure removes, and why. */
export const LEFT_TABLES: Readonly<Record<string, string>> = {
  audit_log: 'proves what was done; `audit remove-old` removes it by age',
  audit_redactions: 'with the audit log',
  audit_seals: 'with the audit log',
  event_sequences: 'the number of the last event',
  events: 'removed by age, in the order of the feeds',
  organization_erasures: 'says that it was erased',
  organizations: 'the row stays under no name, since others refer to it',
  quotes: 'go with the orders',
}
