// Events as others get them, in the feed and in webhooks: the customers' form, and the form for the vendor's own
// systems.
import { Type, type Static } from 'typebox'
import { Id, Timestamp } from '#kernel/values/schema.ts'
import { type Catalogue, publicType } from './catalogue.ts'
import type { StoredEvent } from './stored-event.ts'

const Data = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'The record after the event (before it, for `deleted`), as its type in the catalogue says; null when ' +
    '`thin` is true',
  examples: [{ id: 42, status: 'paid' }],
})

export const PublicEvent = Type.Object(
  {
    id: { ...Id, description: 'The same in the feed and in each delivery', examples: [90_210] },
    sequence: {
      ...Id,
      description: 'Counts the events of the organization, those included that the caller does not see',
      examples: [117],
    },
    type: Type.String({ examples: ['quote.paid'] }),
    timestamp: Timestamp,
    organization_id: Id,
    resource: Type.String({ examples: ['quote'] }),
    resource_id: { ...Id, examples: [42] },
    entitlement_codes: Type.Array(Type.String(), {
      description: 'The entitlements that the record belongs to or bills',
      examples: [['PLG-2026110001']],
    }),
    thin: Type.Boolean({ description: 'The event would be larger than 20 kB: ask for the record by its id' }),
    data: Data,
  },
  { description: 'Something that happened to a record' },
)
export type PublicEvent = Static<typeof PublicEvent>

/** The customers' form; null for what customers must not see. Whether a caller holds its scopes is not decided here. */
export function publicEvent({ ofStored }: Catalogue, stored: StoredEvent): PublicEvent | null {
  const { kind, of } = ofStored.get(stored.type) ?? {}
  if (!kind || !of?.isVisible(stored.data)) return null
  // Events are older than columns that were added since.
  const fields = Object.keys(kind.schema.properties)
  return sized(stored, Object.fromEntries(fields.map((field) => [field, stored.data[field] ?? null])))
}

/** The form for the vendor's systems: every event, drafts too, with all fields that are no secrets. */
export const vendorEvent = (stored: StoredEvent): PublicEvent => sized(stored, stored.data)

const MOST_BYTES = 20_000

function sized(stored: StoredEvent, data: Record<string, unknown>): PublicEvent {
  const { id, sequence, type, at: timestamp, organization_id, resource, resource_id } = stored
  const event = {
    id,
    sequence,
    type: publicType(type),
    timestamp,
    organization_id,
    resource,
    resource_id,
    entitlement_codes: entitlementCodesOf(stored),
    thin: false,
    data,
  }
  return Buffer.byteLength(JSON.stringify(event)) > MOST_BYTES ? { ...event, thin: true, data: null } : event
}

/** Those in the record and in its lines, and those that `storedEvents` has looked up. */
function entitlementCodesOf({ data, linked_codes }: StoredEvent): string[] {
  const lines: unknown[] = Array.isArray(data['line_items']) ? data['line_items'] : []
  const codes = [data, ...lines].map((of) =>
    typeof of === 'object' && of !== null && 'entitlement_code' in of ? of.entitlement_code : null,
  )
  return [...new Set([...codes, ...linked_codes])].filter((code) => typeof code === 'string')
}
