// The license (spec 2.12): a key and the domains that it is active on.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { listing, OPTIONAL_TIME, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { HistoryEntry } from '#kernel/data/audit/history.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import { AnyOf, Closed, Id, Line, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const STATUSES = ['active', 'suspended', 'expired', 'revoked'] as const
export const LicenseStatus = Type.Enum(STATUSES, { examples: ['active'] })

export const licenseMoves = moves(STATUSES, {
  suspend: { from: ['active'], to: 'suspended' },
  expire: { from: ['active', 'suspended'], to: 'expired' },
  revoke: { from: ['active', 'suspended', 'expired'], to: 'revoked' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
  renew: { from: ['expired'], to: 'active', event: 'renewed' },
  /** With its entitlement, which was suspended when both expired. */
  suspendAgain: { from: ['expired'], to: 'suspended' },
})

export const Domain = Type.String({ examples: ['shop.acme.example'] })

export const License = Type.Object(
  {
    id: Id,
    organization_id: Id,
    license_key: Type.String({ examples: ['7K3QD-M9XHT-2VWRA-C4PZN-8FJBE'] }),
    product_name: Name,
    status: LicenseStatus,
    entitlement_id: Id,
    entitlement_code: Type.String({ examples: ['PLG-2026110001'] }),
    activations_limit: Type.Integer({ minimum: 1, examples: [5] }),
    activations_count: Type.Integer({ minimum: 0, examples: [1] }),
    activated_domains: Type.Array(Domain),
    staging_domains: Type.Array(Domain, { description: 'Active domains that do not count against the limit' }),
    expires_at: Nullable(Timestamp),
    renews: Type.Boolean({
      description: 'It ends with its entitlement and, like it, waits at its end for the next payment',
    }),
    ...integration,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A software license of a PLG entitlement' },
)
export type License = Static<typeof License>

export const licenseListing = listing({ created_at: TIME, updated_at: TIME, expires_at: OPTIONAL_TIME }, 'updated_at')
export const LicenseFilters = Closed({
  ...Paging,
  ...licenseListing.parameters,
  ...externalIdFilter,
  status: AnyOf(LicenseStatus),
})
export type LicenseFilters = Static<typeof LicenseFilters>
export const AdministratorsLicenseFilters = acrossFilters(LicenseFilters.properties)
export type AdministratorsLicenseFilters = Static<typeof AdministratorsLicenseFilters>

export const licensesTable = table(
  'licenses',
  'license',
  Type.Object({ ...License.properties, suspended_with_entitlement: Type.Boolean() }),
  {
    moves: licenseMoves,
    events: ['activated', 'deactivated', 'limit_changed', 'key_rotated', 'expiring'],
    derived: ['activations_count'],
    search: ['product_name', 'activated_domains', 'external_id'],
    masked: ['license_key', 'replaced_key_digests'],
    extra: ['replaced_key_digests', 'expiry_warned_for', 'expiry_warned_days'],
    times: ['expiry_warned_for'],
  },
)

const DomainInput = { ...Line, minLength: 1, description: 'A host name, or an address that contains one' }

const LARGEST_LIMIT = 10_000
const Limit = Type.Integer({ minimum: 1, maximum: LARGEST_LIMIT, examples: [5] })
const Reason = Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Visible to customers' })

export const NewLicense = Closed({
  organization_id: Type.Optional(Id),
  entitlement_id: Id,
  product_name: Type.Optional(Name),
  activations_limit: Type.Optional(Limit),
  expires_at: Type.Optional(Nullable(Timestamp)),
  ...givenIntegration,
})
export type NewLicense = Static<typeof NewLicense>

/** With the key that the customer's installations use already, and where they do. */
export const BroughtLicense = Closed({
  ...NewLicense.properties,
  license_key: Type.String({
    minLength: 8,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'One of 25 characters is kept in capitals and groups of five; others as they are',
    examples: ['WC-19af-77c0-22de'],
  }),
  activated_domains: Type.Optional(Type.Array(DomainInput, { maxItems: 1000, description: 'Where it is active' })),
})
export type BroughtLicense = Static<typeof BroughtLicense>

export const LicenseChange = Closed({
  organization_id: Type.Optional(Id),
  activations_limit: Type.Optional(Limit),
  reason: Type.Optional({ ...Reason, description: 'Required with `activations_limit`; visible to customers' }),
  ...givenIntegration,
})
export type LicenseChange = Static<typeof LicenseChange>

export const LicenseReason = Closed({
  organization_id: Type.Optional(Id),
  reason: Type.Optional(Nullable(Reason)),
})
export type LicenseReason = Static<typeof LicenseReason>

export const LicenseRenewal = Closed({ ...LicenseReason.properties, expires_at: Type.Optional(Nullable(Timestamp)) })
export type LicenseRenewal = Static<typeof LicenseRenewal>

export const LicenseDomain = Closed({ organization_id: Type.Optional(Id), domain: DomainInput })

export const Activation = Type.Object({
  license_id: Id,
  domain: Domain,
  activations_count: License.properties.activations_count,
  activations_limit: License.properties.activations_limit,
})
export type Activation = Static<typeof Activation>

export const LicenseQuestion = Closed({ license_key: { ...Line, minLength: 1 }, domain: DomainInput })

export const KEY_REFUSALS = ['not_activated', 'suspended', 'expired', 'revoked', 'key_replaced', 'unknown_key'] as const
export type KeyRefusal = (typeof KEY_REFUSALS)[number]
export const REASONS = ['activated', 'staging', ...KEY_REFUSALS] as const

export const LicenseAnswer = Type.Object(
  {
    valid: Type.Boolean(),
    reason: Type.Enum(REASONS, {
      description:
        '`activated` and `staging` (a domain that does not count against the limit) are valid, all others are not',
      examples: ['activated'],
    }),
    product_name: Nullable(Name),
    expires_at: Nullable(Timestamp),
  },
  { description: 'Whether a key is valid for a domain' },
)
export type LicenseAnswer = Static<typeof LicenseAnswer>

export const LicenseFile = Type.Object(
  {
    file_name: Type.String({ examples: ['license-42.lic'] }),
    content: Type.String({
      description: 'A compact JWS, signed with Ed25519',
      examples: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln'],
    }),
    key_id: Type.String({ description: 'Key id (`kid`) in /.well-known/license-keys.json' }),
    expires_at: Timestamp,
  },
  { description: 'A signed license file for a product without a network' },
)
export type LicenseFile = Static<typeof LicenseFile>

export const LicenseHistoryEntry = Type.Object(
  {
    ...HistoryEntry(LicenseStatus).properties,
    to_status: Nullable(LicenseStatus),
    action: Type.String({ examples: ['activated'] }),
    domain: Nullable(Domain),
    from_limit: Nullable(Type.Integer()),
    to_limit: Nullable(Type.Integer()),
    key_last_four: Nullable(Type.String({ description: 'The last four characters of a new key', examples: ['FJBE'] })),
  },
  { description: 'A change of a license; fields that it did not change are null' },
)
