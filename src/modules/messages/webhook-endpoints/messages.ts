// What is sent: events in the form that the endpoint's owner may see, of the types that it wants.
import type { Catalogue, EventKind } from '#modules/messages/events/catalogue.ts'
import { type PublicEvent, publicEvent, vendorEvent } from '#modules/messages/events/public-event.ts'
import { type StoredEvent, storedColumns } from '#modules/messages/events/stored-event.ts'
import { holds } from '#kernel/values/permissions.ts'
import { ofOrganization, ofSameAs } from '#kernel/data/lists/of-organizations.ts'
import { sql } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { TEST_TYPE } from './delivery.ts'
import type { Owner } from './queries.ts'
import { ALL_EVENTS } from './webhook-endpoint.ts'

export type Message = { event_id: number; type: string; body: string }

/**
 * `scopes`: of whoever set the endpoint up; null when nobody's count. An endpoint without organization is the vendor's.
 */
export type Subscriber = {
  organization_id: number | null
  events: readonly string[]
  scopes: readonly string[] | null
}

/** An organization's endpoint gets types of which its maker holds all scopes now, whenever the events were. */
export function mayGet(catalogue: Catalogue, type: string, { organization_id, scopes }: Omit<Subscriber, 'events'>) {
  return organization_id === null || maySee(catalogue, type, scopes)
}

/** A test says nothing of a record. */
export const maySee = ({ kinds }: Catalogue, type: string, scopes: readonly string[] | null): boolean =>
  type === TEST_TYPE ||
  isCovered(
    kinds.find((one) => one.type === type),
    scopes,
  )

const isCovered = (kind: EventKind | undefined, scopes: readonly string[] | null): boolean =>
  kind?.scopes.every((scope) => holds(scopes ?? [], scope)) ?? false

const message = (event: PublicEvent | null): Message | null =>
  event && { event_id: event.id, type: event.type, body: JSON.stringify(event) }

/** Makes the messages of one event for several endpoints; each form is made once. */
export function messageOf(catalogue: Catalogue, stored: StoredEvent): (subscriber: Subscriber) => Message | null {
  const kind = catalogue.ofStored.get(stored.type)?.kind
  let forCustomers: Message | null | undefined
  let forVendor: Message | null | undefined
  const madeFor = ({ organization_id, scopes }: Subscriber): Message | null => {
    if (organization_id === null) return (forVendor ??= message(vendorEvent(stored)))
    return isCovered(kind, scopes) ? (forCustomers ??= message(publicEvent(catalogue, stored))) : null
  }
  return (subscriber) => {
    const made = madeFor(subscriber)
    const { events } = subscriber
    return made && (events.includes(ALL_EVENTS) || events.includes(made.type)) ? made : null
  }
}

/** `place`: what the cursor counts, the sequence in the organization, or the position among the events of all. */
export type PlacedEvent = StoredEvent & { place: number }

/** The events of an organization that come after a sequence. */
export type Range = { organization_id: number; after: number }

const inRanges = (ranges: readonly Range[]) => sql`
    from jsonb_to_recordset(${storableJson(ranges)}::jsonb) as r(organization_id bigint, after bigint)
    join events e on e.organization_id = r.organization_id and e.sequence > r.after`

export const eventsFor = ({ published }: Catalogue) => ({
  /** Of several organizations. Sequences have no gaps, so that a cluster need not take a limit for each. */
  after: (ranges: readonly Range[], limit: number) => sql<PlacedEvent>`
    select ${storedColumns(published, ofSameAs('e'))}, e.sequence as place ${inRanges(ranges)}
      and e.sequence <= r.after + ${limit}
     order by e.organization_id, e.sequence`,
  /** The same ranges, each up to the first event that is left: the oldest are removed in time. */
  left: (ranges: readonly Range[]) => sql<Range>`
    select e.organization_id, min(e.sequence) - 1 as after ${inRanges(ranges)} group by e.organization_id`,
  ofAllAfter: (after: number, limit: number) => sql<PlacedEvent>`
    select ${storedColumns(published, ofSameAs('e'))}, e.position as place from events e
     where e.position > ${after} order by e.position limit ${limit}`,
  between: (owner: Owner, { after, from, to }: { after: number; from: string; to: string }, limit: number) => {
    const of = owner === null ? ofSameAs('e') : ofOrganization(owner)
    const place = owner === null ? sql`e.position` : sql`e.sequence`
    return sql<PlacedEvent>`
      select ${storedColumns(published, of)}, ${place} as place from events e
       where ${of('e.organization_id')} and ${place} > ${after} and e.at >= ${from} and e.at <= ${to} order by ${place}
         limit ${limit}`
  },
})
