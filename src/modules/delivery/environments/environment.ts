// The environment (spec 2.13): a managed installation of an ENV entitlement.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { type History, HistoryEntry } from '#kernel/data/audit/history.ts'
import { Metadata } from '#modules/delivery/entitlements/metadata.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalId, externalIdFilter, givenExternalId } from '#kernel/values/integration.ts'
import { AnyOf, Closed, HttpUrl, Id, Name, Nullable, Paging, Text, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { PROVISIONING_ACTS } from '#ports/provisioning.ts'

export const STATUSES = ['provisioning', 'active', 'maintenance', 'suspended', 'decommissioned'] as const
export const EnvironmentStatus = Type.Enum(STATUSES, { examples: ['active'] })
export type EnvironmentStatus = (typeof STATUSES)[number]
export const PLATFORMS = ['moodle', 'wordpress', 'custom'] as const
export const Platform = Type.Enum(PLATFORMS, { examples: ['moodle'] })
export const TYPES = ['production', 'staging', 'development', 'sandbox'] as const
export const EnvironmentType = Type.Enum(TYPES, { examples: ['production'] })
export const PROVISIONING_STATES = ['none', 'queued', 'requested', 'failed', 'done'] as const
export const ProvisioningState = Type.Enum(PROVISIONING_STATES, {
  description:
    'Of the `provisioning_act`. `none`: not requested; `queued`: about to be requested from the provisioning ' +
    'system; `requested`: accepted, a report will follow; `failed`: not done, staff may request it again; `done`',
  examples: ['done'],
})
export const ProvisioningActName = Type.Enum(PROVISIONING_ACTS, {
  description:
    'What the provisioning system was last asked for. `change`: of what the entitlement gives. ' +
    'The `status` never waits for it',
  examples: ['provision'],
})

export const environmentMoves = moves(STATUSES, {
  activate: { from: ['provisioning', 'maintenance'], to: 'active', event: 'activated' },
  maintain: { from: ['active'], to: 'maintenance' },
  suspend: { from: ['active', 'maintenance'], to: 'suspended' },
  decommission: { from: ['provisioning', 'active', 'maintenance', 'suspended'], to: 'decommissioned' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
})

export const provisioningMoves = moves(
  PROVISIONING_STATES,
  {
    queue: { from: ['none', 'requested', 'failed'], to: 'queued', event: 'provisioning_queued' },
    request: { from: ['queued'], to: 'requested', event: 'provisioning_requested' },
    // A success may follow a reported failure, but a failure never follows a success.
    finish: { from: ['queued', 'requested', 'failed'], to: 'done', event: 'provisioned' },
    fail: { from: ['queued', 'requested'], to: 'failed', event: 'provisioning_failed' },
    // For the acts after the first. Not `provisioned`, by which others learn that an environment is there.
    confirm: { from: ['queued', 'requested', 'failed'], to: 'done', event: 'provisioning_confirmed' },
    // The act that was decided last replaces one that waits.
    replace: {
      from: ['none', 'queued', 'requested', 'failed', 'done'],
      to: 'queued',
      event: 'provisioning_queued',
    },
    drop: { from: ['queued'], to: 'none', event: 'provisioning_dropped' },
  },
  'provisioning_state',
)

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
    production_id: Nullable(Id),
    provisioning_act: ProvisioningActName,
    provisioning_state: ProvisioningState,
    provisioning_error: Nullable(Type.String({ description: 'Why it failed, or why it is being retried' })),
    ...externalId,
    metadata: Nullable(Type.String({ description: 'A JSON text' })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A managed installation' },
)
export type Environment = Static<typeof Environment>

const Paired = Type.Pick(Environment, ['id', 'name', 'status', 'environment_type', 'url'])

export const EnvironmentDetail = Type.Object(
  {
    ...Environment.properties,
    production: Nullable(Paired),
    paired_environments: Type.Array(Paired, { description: 'The environments that name this one in `production_id`' }),
  },
  { description: 'A managed installation, with the environments paired with it' },
)
export type EnvironmentDetail = Static<typeof EnvironmentDetail>

export const NewEnvironment = Closed({
  organization_id: Type.Optional(Id),
  name: Name,
  platform: Platform,
  environment_type: EnvironmentType,
  entitlement_id: Id,
  production_id: Type.Optional(Nullable(Id)),
  url: Type.Optional(Nullable(HttpUrl)),
  ...givenExternalId,
  metadata: Type.Optional(Nullable(Metadata)),
  status: Type.Optional(
    Type.Enum(['provisioning', 'active'], {
      description: '`active`: it runs already, and no provisioning is requested',
    }),
  ),
})
export type NewEnvironment = Static<typeof NewEnvironment>

export const EnvironmentChange = Closed({
  organization_id: Type.Optional(Id),
  name: Type.Optional(Name),
  platform: Type.Optional(Platform),
  environment_type: Type.Optional(EnvironmentType),
  production_id: Type.Optional(Nullable(Id)),
  url: Type.Optional(Nullable(HttpUrl)),
  ...givenExternalId,
  metadata: Type.Optional(Nullable(Metadata)),
})
export type EnvironmentChange = Static<typeof EnvironmentChange>

export const EnvironmentStatusChange = Closed({
  organization_id: Type.Optional(Id),
  status: EnvironmentStatus,
  note: Type.Optional(Nullable(Text)),
})

export const environmentListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const EnvironmentFilters = Closed({
  ...Paging,
  ...environmentListing.parameters,
  ...externalIdFilter,
  status: AnyOf(EnvironmentStatus),
  platform: AnyOf(Platform),
  environment_type: AnyOf(EnvironmentType),
  entitlement_id: Type.Optional(Id),
})
export type EnvironmentFilters = Static<typeof EnvironmentFilters>
export const AdministratorsEnvironmentFilters = acrossFilters(EnvironmentFilters.properties)
export type AdministratorsEnvironmentFilters = Static<typeof AdministratorsEnvironmentFilters>

export const EnvironmentHistoryEntry = HistoryEntry(EnvironmentStatus)
export const environmentHistory: History = {
  name: 'environment_history',
  of: 'environments',
  key: 'environment_id',
}

export const EnvironmentRow = Type.Object({
  ...Environment.properties,
  suspended_with_entitlement: Type.Boolean(),
  provisioning_attempt: Type.Integer(),
  provisioning_refused: Type.Boolean(),
  provisioning_report_due_at: Nullable(Timestamp),
  provisioning_change_due: Type.Boolean(),
  maintenance_window_id: Nullable(Id),
})
export type EnvironmentRow = Static<typeof EnvironmentRow>

/** Whether the provisioning system has still to confirm the last act. Staff who activate it have set it up by hand. */
export const isUnconfirmed = ({ status, provisioning_act, provisioning_state }: EnvironmentRow): boolean =>
  ['queued', 'requested', 'failed'].includes(provisioning_state) &&
  (provisioning_act !== 'provision' || status === 'provisioning')

export const environmentsTable = table('environments', 'environment', EnvironmentRow, {
  moves: { ...environmentMoves, ...provisioningMoves },
  events: ['provisioning_delayed'],
  search: ['name', 'url', 'external_id'],
})
