// The event feed, the catalogue of event types, and the vendor's feed (docs/interface/messages.md, Events).
import { vendor, org } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import type { Catalogue } from './catalogue.ts'
import { EventType, EventTypeFilters } from './event-type.ts'
import { EventFeed, feed, FeedFilters } from './feed.ts'
import { VendorFeed, vendorFeed, VendorFeedFilters } from './vendor-feed.ts'

const GOING_ON =
  'Ask again with `after` = `next`; events that come later always come after it. With `wait` an answer ' +
  'without events is held back until there is one. 410 says from which event on the feed goes if those ' +
  'after `after` are no longer kept.'

/** An answer with nothing in it may wait for what comes after `next`. */
const longPoll = {
  nextOf: ({ events, next, has_more }: { events: readonly object[]; next: number; has_more: boolean }) =>
    events.length > 0 || has_more ? null : next,
}

export const eventRoutes = (catalogue: Catalogue) => [
  route({
    method: 'GET',
    path: '/events',
    access: org('organization'),
    purpose: 'List the events of the organization, the oldest first.',
    description:
      `Events whose scopes the caller lacks, and those of drafts, are left out: \`sequence\` may jump, ` +
      `and nothing is lost by it. ${GOING_ON}`,
    query: FeedFilters,
    openapi: { operationId: 'listEvents' },
    data: EventFeed,
    fails: ['GONE'],
    features: { longPoll },
    read: ({ org: id }, { query }) => feed(catalogue, id, query),
  }),
  route({
    method: 'GET',
    path: '/event-types',
    access: org('organization'),
    purpose: 'List the types of events.',
    description:
      'All that customers can get, whatever the caller’s scopes: each says which scopes it needs, and has the JSON ' +
      'Schema of its `data`. Pass over types that you do not know, since more are added.',
    query: EventTypeFilters,
    page: EventType,
    read: (_, { query }) => ({
      kind: 'list',
      page: query,
      items: catalogue.kinds.filter(({ resource }) => query.resource === undefined || query.resource === resource),
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/events',
    access: vendor('audit'),
    purpose: 'List the events of all organizations, the oldest first.',
    description:
      'Every event, with all columns of the record but secrets. A key for some organizations reads ' +
      `theirs; \`position\` counts those of the others too. ${GOING_ON}`,
    query: VendorFeedFilters,
    openapi: { operationId: 'listEvents' },
    data: VendorFeed,
    fails: ['GONE'],
    features: { longPoll, limitsOrganizations: true },
    read: ({ organizations: only }, { query }) => vendorFeed(catalogue, query, only),
  }),
]
