// The events of one organization, as its members and their programs read them.
import { Type, type Static } from 'typebox'
import { invalid } from '#kernel/values/errors.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { ofOrganization } from '#kernel/data/lists/of-organizations.ts'
import { mayRead } from '#kernel/data/lists/search.ts'
import { join, type Statement, sql, when } from '#kernel/values/sql.ts'
import { Closed, Paging } from '#kernel/values/schema.ts'
import type { Catalogue, EventKind } from './catalogue.ts'
import { feedPage, feedStatement } from './feed-page.ts'
import { PublicEvent, publicEvent } from './public-event.ts'
import { storedColumns } from './stored-event.ts'

const MOST_WAIT_SECONDS = 30

const wholeNumber = (maximum: number, description: string) =>
  Type.Optional(Type.Unsafe<number>({ type: 'integer', minimum: 0, maximum, description }))
const word = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [example] }))

export const feedQuery = {
  after: Type.Optional(
    Type.Unsafe<number | 'latest'>({
      type: ['integer', 'string'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      pattern: '^latest$',
      description:
        '`next` of the answer before; without it the oldest event that is kept comes first. `latest`: no events, and ' +
        '`next` is the end of the feed',
      examples: [117, 'latest'],
    }),
  ),
  per_page: Paging.per_page,
  wait: wholeNumber(MOST_WAIT_SECONDS, 'For so many seconds the answer may wait for an event, where there is none yet'),
  type: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+\\.[a-z_]+(,[a-z_]+\\.[a-z_]+)*$',
      maxLength: 4000,
      description: 'Only events of these types, by comma',
      examples: ['quote.paid,invoice.paid'],
    }),
  ),
  resource: word('Only events of this kind of record', 'invoice'),
}

export const FeedFilters = Closed({
  ...feedQuery,
  entitlement_code: word('Only events that touch this entitlement', 'PLG-2026110001'),
})
type FeedFilters = Static<typeof FeedFilters>

export const feedShape = {
  next: Type.Integer({ minimum: 0, description: 'To be sent as `after` with the next request', examples: [117] }),
  has_more: Type.Boolean({ description: 'Whether there are events after `next` already' }),
}
export const EventFeed = Type.Object(
  { events: Type.Array(PublicEvent, { description: 'The oldest first' }), ...feedShape },
  { description: 'Events of an organization, and where to go on' },
)
type EventFeed = Static<typeof EventFeed>

export function feed(catalogue: Catalogue, org: number, query: FeedFilters): ReadPlan<EventFeed> {
  const source = {
    state: sql`
      select s.last_sequence as last,
             coalesce((select min(e.sequence) from events e
               where e.organization_id = ${org}), s.last_sequence + 1) as oldest
        from event_sequences s where s.organization_id = ${org}`,
    place: sql`e.sequence`,
    within: sql`e.organization_id = ${org}`,
    wanted: sql`${permitted(catalogue, query.type?.split(','))} ${ofResource(query.resource)}`,
    columns: storedColumns(catalogue.published, ofOrganization(org)),
  }
  const { entitlement_code: code } = query
  return parts([feedStatement(source, query)], ([rows]) => {
    const unknown = query.type?.split(',').find((type) => !catalogue.kinds.some((kind) => kind.type === type))
    if (unknown !== undefined) throw invalid({ type: `unknown event type: ${unknown}` })
    const { stored, ...page } = feedPage(rows, query)
    const events = stored.flatMap((one) => publicEvent(catalogue, one) ?? [])
    return {
      events: code === undefined ? events : events.filter((one) => one.entitlement_codes.includes(code)),
      ...page,
    }
  })
}

export const ofResource = (resource: string | undefined): Statement =>
  when(resource, (name) => sql`and resource = ${name}`)

/** The events whose scopes the caller holds, by the sets of scopes that there are. */
function permitted({ ofStored }: Catalogue, types?: readonly string[]): Statement {
  const byScopes = new Map<string, { scopes: EventKind['scopes']; stored: string[] }>()
  for (const [stored, { kind }] of ofStored) {
    const { scopes, type } = kind
    const group = byScopes.get(scopes.join()) ?? { scopes, stored: [] }
    if (types?.includes(type) !== false) group.stored.push(stored)
    byScopes.set(scopes.join(), group)
  }
  const each = [...byScopes.values()].map(
    ({ scopes, stored }) => sql`type = any(${stored}) and ${join(scopes.map(mayRead), ' and ')}`,
  )
  return sql`(${join(each, ' or ')})`
}
