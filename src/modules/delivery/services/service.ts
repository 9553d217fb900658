// The service (spec 2.14): professional work of an SVC entitlement.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { type History, HistoryEntry } from '#kernel/data/audit/history.ts'
import { Metadata } from '#modules/delivery/entitlements/metadata.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalId, externalIdFilter, givenExternalId } from '#kernel/values/integration.ts'
import { AnyOf, Closed, Id, Name, Nullable, Paging, Text, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const STATUSES = ['proposal', 'approved', 'in_progress', 'on_hold', 'delivered', 'closed', 'cancelled'] as const
export const ServiceStatus = Type.Enum(STATUSES, { examples: ['in_progress'] })
export type ServiceStatus = (typeof STATUSES)[number]
export const LIFECYCLES = ['ongoing', 'project'] as const
export const Lifecycle = Type.Enum(LIFECYCLES, { examples: ['project'] })

export const serviceMoves = moves(STATUSES, {
  approve: { from: ['proposal'], to: 'approved' },
  start: { from: ['approved', 'on_hold', 'delivered'], to: 'in_progress', event: 'started' },
  hold: { from: ['approved', 'in_progress'], to: 'on_hold', event: 'held' },
  deliver: { from: ['in_progress'], to: 'delivered' },
  close: { from: ['delivered'], to: 'closed' },
  cancel: { from: ['proposal', 'approved', 'in_progress', 'on_hold'], to: 'cancelled' },
  // Moves by the customer.
  acceptDelivery: { from: ['delivered'], to: 'closed', event: 'delivery_accepted' },
  rejectDelivery: { from: ['delivered'], to: 'in_progress', event: 'delivery_rejected' },
})

export const Service = Type.Object(
  {
    id: Id,
    name: Name,
    status: ServiceStatus,
    lifecycle: Lifecycle,
    description: Nullable(Text),
    entitlement_id: Id,
    entitlement_code: Type.String({ examples: ['SVC-2026110001'] }),
    organization_id: Id,
    ...externalId,
    metadata: Nullable(Type.String({ description: 'A JSON text' })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A professional service or project' },
)
export type Service = Static<typeof Service>

export const NewService = Closed({
  organization_id: Type.Optional(Id),
  name: Name,
  lifecycle: Lifecycle,
  entitlement_id: Id,
  description: Type.Optional(Nullable(Text)),
  ...givenExternalId,
  metadata: Type.Optional(Nullable(Metadata)),
  status: Type.Optional(Type.Enum(['proposal', 'approved'], { description: '`proposal` by default' })),
})
export type NewService = Static<typeof NewService>

export const ServiceChange = Closed({
  organization_id: Type.Optional(Id),
  name: Type.Optional(Name),
  lifecycle: Type.Optional(Lifecycle),
  description: Type.Optional(Nullable(Text)),
  ...givenExternalId,
  metadata: Type.Optional(Nullable(Metadata)),
})
export type ServiceChange = Static<typeof ServiceChange>

export const ServiceStatusChange = Closed({
  organization_id: Type.Optional(Id),
  status: ServiceStatus,
  note: Type.Optional(Nullable(Text)),
})

export const DeliveryRejection = Closed({
  reason: Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S', examples: ['Two courses are missing'] }),
})

export const serviceListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const ServiceFilters = Closed({
  ...Paging,
  ...serviceListing.parameters,
  ...externalIdFilter,
  status: AnyOf(ServiceStatus),
  lifecycle: Type.Optional(Lifecycle),
  entitlement_id: Type.Optional(Id),
})
export type ServiceFilters = Static<typeof ServiceFilters>
export const AdministratorsServiceFilters = acrossFilters(ServiceFilters.properties)
export type AdministratorsServiceFilters = Static<typeof AdministratorsServiceFilters>

export const ServiceHistoryEntry = HistoryEntry(ServiceStatus)
export const serviceHistory: History = { name: 'service_history', of: 'services', key: 'service_id' }

export const servicesTable = table('services', 'service', Service, {
  moves: serviceMoves,
  search: ['name', 'external_id'],
})
