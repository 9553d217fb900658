// The kinds of what waits for staff: where an entry opens, and who may change such records.
import type { AdminQueueEntryKind } from '@titular/sdk'
import { addressOf, type Here } from '../../place.ts'
import { kindByName } from '../../resources/directory.ts'

type Kind = { resource: string; scope: string }

const KINDS: Readonly<Record<AdminQueueEntryKind, Kind>> = {
  organizations: { resource: 'organizations', scope: 'organization' },
  refunds: { resource: 'refunds', scope: 'finances' },
  'void-invoices': { resource: 'invoices', scope: 'finances' },
  'tax-invoices': { resource: 'tax-invoices', scope: 'finances' },
  environments: { resource: 'environments', scope: 'entitlements' },
  tickets: { resource: 'tickets', scope: 'tickets' },
  'webhook-endpoints': { resource: 'webhooks', scope: 'organization' },
  'vendor-webhook-endpoints': { resource: 'vendor-webhook-endpoints', scope: 'settings' },
  'inbound-events': { resource: 'inbound-events', scope: 'jobs' },
  'dead-letters': { resource: 'jobs', scope: 'jobs' },
  'refused-mails': { resource: 'jobs', scope: 'jobs' },
}

export const isKind = (value: unknown): value is AdminQueueEntryKind =>
  typeof value === 'string' && Object.hasOwn(KINDS, value)

export const scopeOfKind = (kind: AdminQueueEntryKind): string => KINDS[kind].scope

type Entry = { kind: AdminQueueEntryKind; id: number; organization_id: number | null }

/** Of the record that waits; of the list of its kind where it has no page of its own. */
export function addressOfEntry(here: Here, entry: Entry): string | null {
  if (entry.kind === 'organizations') return `/o/${entry.id}`
  const kind = kindByName(KINDS[entry.kind].resource)
  if (!kind) return null
  return addressOf(here, kind, entry) ?? (kind.places.all ? `/all/${kind.name}` : null)
}
