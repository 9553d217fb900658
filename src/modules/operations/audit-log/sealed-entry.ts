// One line of an exported audit log: the entry, the text that was hashed of it, and its seal
// (docs/interface/operations.md).
import { Type, type Static } from 'typebox'
import { Closed, Id, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { AdministratorsFilters, AuditEntry } from './audit-entry.ts'

const { actor_kind, actor_id, actor, action, resource, resource_id, changes, reason, request_id, ip } =
  AuditEntry.properties
const side = changes.properties.before
const hash = (description: string) =>
  Nullable(Type.String({ description, examples: ['47dccf5b6e1c5f6a0f5e0c3f6f0c8c0d0f9d5a1f0a7b6c5d4e3f2a1b0c9d8e7f'] }))

/** Of an entry that is not to be seen, or is gone, only the ids and the hashes. */
export const SealedEntry = Type.Object(
  {
    organization_id: Nullable({ ...Id, description: 'Null in the service’s own log' }),
    id: Id,
    at: Nullable(Timestamp),
    actor_kind: Nullable(actor_kind),
    actor_id,
    actor: Nullable(actor),
    action: Nullable(action),
    resource: Nullable(resource),
    resource_id,
    before: side,
    after: side,
    details: { ...side, description: 'Of the service’s own log, in place of `before` and `after`' },
    reason,
    request_id,
    ip,
    hashed: Nullable(Type.String({ description: 'The text that was hashed; null where not all of it is to be seen' })),
    previous_hash: hash('The hash of the entry before; 64 zeros before the first one'),
    hash: hash('SHA-256 of the bytes of `previous_hash` and of `hashed`; null for an entry that is not sealed yet'),
    redacted_hash: hash('Of an entry from which a person was erased: SHA-256 of the bytes of `hash` and of `hashed`'),
  },
  { description: 'An entry of an audit log with its seal' },
)
export type SealedEntry = Static<typeof SealedEntry>

export const AfterEntry = Type.Optional({
  ...Id,
  description: 'Only the entries behind the one with this id, for whoever has the file of those before',
  examples: [1200],
})

const { log, organization_id } = AdministratorsFilters.properties
export const SealedFilters = Closed({ log, organization_id, after_id: AfterEntry })
export type SealedFilters = Static<typeof SealedFilters>
