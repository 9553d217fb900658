// The events of all organizations in one order, for the vendor's own systems (docs/interface/messages.md).
import { Type, type Static } from 'typebox'
import { parts, type ReadPlan } from '#http/route.ts'
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import { ofSameAs } from '#kernel/data/lists/of-organizations.ts'
import { orderEvents } from './event-positions.ts'
import { sql, when } from '#kernel/values/sql.ts'
import { Closed, Id } from '#kernel/values/schema.ts'
import type { Catalogue } from './catalogue.ts'
import { feedPage, feedStatement } from './feed-page.ts'
import { feedQuery, feedShape, ofResource } from './feed.ts'
import { PublicEvent, vendorEvent } from './public-event.ts'
import { storedColumns } from './stored-event.ts'

const Position = { ...Id, description: 'Counts the events of all organizations, without gaps', examples: [90_125] }

export const VendorEvent = Type.Object({ position: Position, ...PublicEvent.properties })

export const VendorFeedFilters = Closed({ ...feedQuery, organization_id: Type.Optional(Id) })
type VendorFeedFilters = Static<typeof VendorFeedFilters>

export const VendorFeed = Type.Object(
  { events: Type.Array(VendorEvent, { description: 'The oldest first' }), ...feedShape },
  { description: 'Events of all organizations, and where to go on' },
)
type VendorFeed = Static<typeof VendorFeed>

export function vendorFeed({ published }: Catalogue, query: VendorFeedFilters, only: Only): ReadPlan<VendorFeed> {
  const source = {
    state: sql`select last_position as last, removed_position + 1 as oldest from event_positions`,
    place: sql`e.position`,
    within: sql`e.position is not null`,
    wanted: sql`true ${ofResource(query.resource)} ${inOrganizations('organization_id', query, only)}
      ${when(query.type, (types) => sql`and translate(substr(type, 9), '/-', '._') = any(${types.split(',')})`)}`,
    columns: storedColumns(published, ofSameAs('e')),
  }
  return parts([...orderEvents, feedStatement(source, query)], ([, , rows]) => {
    const { stored, ...page } = feedPage(rows, query)
    return { events: stored.map((one) => ({ position: one.place, ...vendorEvent(one) })), ...page }
  })
}
