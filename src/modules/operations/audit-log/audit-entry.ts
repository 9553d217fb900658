// One entry of the audit log: who changed what in the organization, from what to what (docs/interface/operations.md,
// Audit log).
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { CalendarDate, Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

const Side = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'Only what differs; secrets are masked',
  examples: [{ status: 'active' }],
})

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    actor_kind: Type.Enum(['user', 'api_key', 'system'], { description: 'An API key acts as its creator' }),
    actor_id: Nullable(Type.Integer({ description: 'The user; null for the service itself' })),
    actor: Type.String({
      description: 'Name at that time; `user` and the id for a refused caller who is not a member',
      examples: ['Ana Souza'],
    }),
    action: Type.String({ examples: ['updated'] }),
    resource: Type.String({ examples: ['organization'] }),
    resource_id: Nullable(Type.Integer({ examples: [42] })),
    changes: Type.Object({ before: Side, after: Side }),
    reason: Nullable(Type.String({ description: 'As the actor gave it' })),
    request_id: Nullable(Type.String()),
    ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
  },
  { description: 'One change, one access by the vendor’s staff, or one refusal' },
)

/** An entry in the administrators' list, which covers all organizations. */
export const AdministratorsEntry = Type.Object({
  ...AuditEntry.properties,
  organization_id: Nullable(Type.Integer({ description: 'Null in the service’s own log' })),
  organization_name: Nullable(Name),
})

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))
export const auditListing = listing({ at: TIME }, 'at')
const filters = {
  ...Paging,
  actor_id: Type.Optional(Id),
  resource: text,
  resource_id: Type.Optional(Id),
  action: text,
  date_from: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
}
export const AuditFilters = Closed({ ...filters, ...auditListing.parameters })
export type AuditFilters = Static<typeof AuditFilters>

export const AdministratorsFilters = Closed({
  ...filters,
  ...auditListing.parameters,
  organization_id: Type.Optional(Id),
  log: Type.Optional(
    Type.Enum(['organizations', 'service'], {
      description: '`service`: sign-ins and all else that belongs to no organization',
      default: 'organizations',
    }),
  ),
})
export type AdministratorsFilters = Static<typeof AdministratorsFilters>
