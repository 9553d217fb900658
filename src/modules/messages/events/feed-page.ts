// What the feed of an organization and the vendor's feed have in common: a place in the order, the statement that reads
// from there on, and the answer that says where to go on (docs/interface/messages.md).
import { AppError, invalid } from '#kernel/values/errors.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import type { StoredEvent } from './stored-event.ts'

/** At most so many events are looked through for one answer, so that rare ones cost no long search. */
const MOST_SCANNED = 1000

type FeedQuery = { after?: number | 'latest'; per_page?: number }
type State = { last: number; oldest: number; scanned: number; scanned_to: number | null }
export type PlacedEvent = StoredEvent & { place: number }
export type FeedRow = State & (PlacedEvent | { [Column in keyof PlacedEvent]: null })

export type FeedSource = {
  /** Selects the `last` place that there is, and the `oldest` that is kept. */
  state: Statement
  /** The place of an event `e`. */
  place: Statement
  /** Which events `e` have one. */
  within: Statement
  /** Which of the `scanned` events the caller wants and may see. */
  wanted: Statement
  columns: Statement
}

/** A row for each event; without events one row with the state alone. */
export const feedStatement = (
  { state, place, within, wanted, columns }: FeedSource,
  { after = 0, per_page = DEFAULT_PER_PAGE }: FeedQuery,
) =>
  sql<FeedRow>`
    with state as (${state}),
    scanned as materialized (
      select ${place} as place, e.type, e.resource, e.organization_id from events e
       where ${within} ${
         after === 'latest'
           ? sql`order by ${place} desc limit 1`
           : sql`and ${place} > ${after}
       order by ${place} limit ${MOST_SCANNED}`
       }),
    found as (
      select place from scanned where ${wanted} order by place limit ${after === 'latest' ? 0 : per_page})
    select state.last, state.oldest, (select count(*) from scanned) as scanned, (select max(place)
      from scanned) as scanned_to, one.*
      from state left join (select found.place, ${columns} from found join events e on ${within}
        and ${place} = found.place) one on true
     order by one.place`

export function feedPage(rows: readonly FeedRow[], asked: FeedQuery) {
  const { last, oldest, scanned, scanned_to } = rows[0] ?? { last: 0, oldest: 1, scanned: 0, scanned_to: null }
  const { after = 0, per_page = DEFAULT_PER_PAGE } = asked
  if (asked.after !== undefined && after !== 'latest') assertKept(after, { last, oldest })
  const stored = rows.filter((row): row is State & PlacedEvent => row.place !== null)
  const lastFound = stored.length === per_page ? stored.at(-1)?.place : undefined
  // Not `last`: on a cluster it counts an event that the node is still committing (docs/scaling.md).
  const next = lastFound ?? scanned_to ?? Math.max(after === 'latest' ? 0 : after, oldest - 1)
  return { stored, next, has_more: next < last && (lastFound !== undefined || scanned === MOST_SCANNED) }
}

/** A reader that was away for too long must learn it; so must one whose events a restored backup does not know. */
function assertKept(after: number, { last, oldest }: { last: number; oldest: number }): void {
  if (after > last) throw invalid({ after: `is beyond the last event, ${last}` })
  if (after < oldest - 1)
    throw new AppError('GONE', { message: `Events before ${oldest} are no longer kept`, detail: String(oldest) })
}
