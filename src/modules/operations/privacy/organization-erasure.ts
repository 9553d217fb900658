// The erasure of an organization that was deleted: what goes, what fiscal law keeps for years, and what stands in its
// way.
import type { Module } from '#http/manifest/module.ts'
import { Type, type Static } from 'typebox'
import { AnyOf, Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
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
  status: AnyOf(Status),
  organization_id: Type.Optional(Id),
})
export type OrganizationErasureFilters = Static<typeof OrganizationErasureFilters>

/** What all modules declare. */
export type ErasureRules = Required<NonNullable<Module['erasure']>>

/** Of the kernel, emptied with the organization; jobs last, since what goes before may enqueue some. */
const OF_THE_KERNEL = ['idempotency_keys', 'search_terms', 'test_clocks', 'jobs']

/**
 * In the order in which they are emptied. `remove_from_organization` of the database has the same tables, as a test
 * compares; `quotes` go with `orders`.
 */
export const withKernel = (rules: ErasureRules): ErasureRules => ({
  ...rules,
  working: [...rules.working, ...OF_THE_KERNEL],
})

/** Rows of these refer to rows of the same table, so all go at once. */
export const SELF_REFERRING: readonly string[] = ['environments', 'contracts', 'tax_invoices', 'invoices', 'payments']

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
