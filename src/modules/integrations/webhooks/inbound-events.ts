// What administrators see of the stored events: rows of provider_events with the state of their jobs.
import { withAmountsIfRead } from '#kernel/data/amounts-in-text.ts'
import type { InboundSource } from '#http/manifest/module.ts'
import { page, parts, type ReadPlan } from '#http/route.ts'
import { forbidden, notFound } from '#kernel/values/errors.ts'
import { isOneOf, sql, type Statement, when } from '#kernel/values/sql.ts'
import { type InboundEventDetail, type InboundEventFilters, inboundEventListing } from './inbound-event.ts'

/** Of the event's unfinished job; of several, the newest. */
const ofJob = (what: Statement): Statement => sql`(
  select ${what} from jobs j where j.payload ? 'provider_event_id' and j.payload ->> 'provider_event_id' = e.id::text
   order by j.id desc limit 1)`
const jobState = ofJob(sql`case when j.dead_at is null then 'waiting' else 'failed' end`)
const state = sql`case when e.set_aside_at is not null then 'set_aside' when e.event is null then 'unreadable'
  when e.event ->> 'kind' = 'ignored' then 'ignored'
  else coalesce(${jobState}, 'handled') end`
const columns = sql`e.id, e.source, nullif(e.company, '') as company, e.type, e.dedupe_key, ${state} as state,
  ${withAmountsIfRead(sql`coalesce(e.error, ${ofJob(sql`j.last_error`)})`)} as error, octet_length(e.body) as size,
    e.received_at,
  e.set_aside_at, e.set_aside_reason`

export const inboundEvents = {
  page: (query: InboundEventFilters) =>
    page(query, {
      columns,
      id: 'e.id',
      listing: inboundEventListing,
      from: sql`from provider_events e where true
        ${when(query.source, (source) => sql`and e.source = ${source}`)}
        ${when(query.company, (company) => sql`and e.company = ${company}`)}
        ${when(query.type, (type) => sql`and e.type = ${type}`)}
        ${when(query.date_from, (day) => sql`and e.received_at >= ${day}::date::timestamp at time zone 'UTC'`)}
        ${when(query.date_to, (day) => sql`and e.received_at < (${day}::date + 1)::timestamp at time zone 'UTC'`)}
        ${isOneOf(state, query.state)}`,
    }),
  byId: (sources: readonly InboundSource[], id: number): ReadPlan<InboundEventDetail> =>
    parts([detail(id)], ([[found]], { scopes }) => {
      if (!found) throw notFound()
      const needs = readBy(sources, found.source)
      if (needs !== null && !scopes.includes(needs))
        throw forbidden('scope_missing', `Scope not authorized: ${needs}:read`)
      const { base64, ...rest } = found
      return { ...rest, ...bodyOf(Buffer.from(base64, 'base64')) }
    }),
}

/** Of a sender that this version does not know, what its bodies may have. */
const readBy = (sources: readonly InboundSource[], name: string): InboundSource['reads'] => {
  const known = sources.find(({ names }) => names.includes(name))
  return known ? known.reads : 'finances'
}

type StoredDetail = Omit<InboundEventDetail, 'body' | 'body_encoding'> & { base64: string }

const detail = (id: number) => sql<StoredDetail>`
  select ${columns}, e.event, ${ofJob(sql`j.id`)} as job_id, encode(e.body, 'base64') as base64
    from provider_events e where e.id = ${id}`

/** Text that is not UTF-8 would be changed on its way into JSON. */
function bodyOf(bytes: Buffer): Pick<InboundEventDetail, 'body' | 'body_encoding'> {
  const body = bytes.toString('utf8')
  return Buffer.from(body, 'utf8').equals(bytes)
    ? { body, body_encoding: 'utf-8' }
    : { body: bytes.toString('base64'), body_encoding: 'base64' }
}
