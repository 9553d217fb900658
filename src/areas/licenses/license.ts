// The license (spec 2.12): a key and the domains that it is active on.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/moves.ts'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/schema.ts'
import { table } from '#kernel/table.ts'

export const STATUSES = ['active', 'suspended', 'expired', 'revoked'] as const
export const LicenseStatus = Type.Enum(STATUSES, { examples: ['active'] })

export const licenseMoves = moves(STATUSES, {
  suspend: { from: ['active'], to: 'suspended' },
  expire: { from: ['active', 'suspended'], to: 'expired' },
  revoke: { from: ['active', 'suspended', 'expired'], to: 'revoked' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
  renew: { from: ['expired'], to: 'active', event: 'renewed' },
})

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
    activated_domains: Type.Array(Type.String({ examples: ['shop.acme.example'] })),
    expires_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A software license of a PLG entitlement' },
)
export type License = Static<typeof License>

export const LicenseFilters = Closed({ ...Paging, status: Type.Optional(LicenseStatus) })
export type LicenseFilters = Static<typeof LicenseFilters>

export const licensesTable = table(
  'licenses',
  'license',
  Type.Object({ ...License.properties, suspended_with_entitlement: Type.Boolean() }),
  { derived: ['activations_count'], masked: ['license_key'], search: ['product_name', 'activated_domains'] },
)
