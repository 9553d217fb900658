// The environment (spec 2.13): a managed installation of an ENV entitlement.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/moves.ts'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/schema.ts'
import { table } from '#kernel/table.ts'

export const STATUSES = ['provisioning', 'active', 'maintenance', 'suspended', 'decommissioned'] as const
export const EnvironmentStatus = Type.Enum(STATUSES, { examples: ['active'] })
export const PLATFORMS = ['moodle', 'wordpress', 'custom'] as const
export const Platform = Type.Enum(PLATFORMS, { examples: ['moodle'] })
export const TYPES = ['production', 'staging', 'development', 'sandbox'] as const
export const EnvironmentType = Type.Enum(TYPES, { examples: ['production'] })

export const environmentMoves = moves(STATUSES, {
  activate: { from: ['provisioning', 'maintenance'], to: 'active', event: 'activated' },
  maintain: { from: ['active'], to: 'maintenance' },
  suspend: { from: ['active', 'maintenance'], to: 'suspended' },
  decommission: { from: ['provisioning', 'active', 'maintenance', 'suspended'], to: 'decommissioned' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
})

export const Environment = Type.Object(
  {
    id: Id,
    name: Name,
    status: EnvironmentStatus,
    platform: Platform,
    environment_type: EnvironmentType,
    url: Nullable(Type.String({ format: 'uri' })),
    entitlement_id: Id,
    entitlement_code: Type.String({ examples: ['ENV-2026110001'] }),
    organization_id: Id,
    metadata: Nullable(Type.String({ description: 'A JSON text' })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A managed installation' },
)
export type Environment = Static<typeof Environment>

export const EnvironmentFilters = Closed({
  ...Paging,
  status: Type.Optional(EnvironmentStatus),
  platform: Type.Optional(Platform),
  environment_type: Type.Optional(EnvironmentType),
})
export type EnvironmentFilters = Static<typeof EnvironmentFilters>

export const environmentsTable = table(
  'environments',
  'environment',
  Type.Object({ ...Environment.properties, suspended_with_entitlement: Type.Boolean() }),
  { search: ['name', 'url'] },
)
