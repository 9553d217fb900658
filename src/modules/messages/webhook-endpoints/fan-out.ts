// Makes deliveries of the events that have happened: compares the cursor of each endpoint with the sequence of its
// organization, so that no write of a customer has to know of endpoints (docs/decisions/0042-webhook-deliveries.md).
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { orderEvents } from '#modules/messages/events/event-positions.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { eventsFor, messageOf, type PlacedEvent, type Range } from './messages.ts'
import {
  anyVendorsStatement,
  disableStatement,
  fanOutStatement,
  type Lagging,
  laggingStatement,
  laggingVendorsStatement,
  type Step,
} from './sender-queries.ts'

const ENDPOINTS_AT_ONCE = 100
/** Of each organization. */
const EVENTS_AT_ONCE = 50
/** About a megabyte in one statement. */
const MESSAGES_AT_ONCE = 1000

export type FanOut = {
  /** As the system, over all organizations; `before` runs in the same transaction. */
  read: <Row>(statement: Statement<Row>, before?: readonly Statement[]) => Promise<Row[]>
  catalogue: Catalogue
  clock: () => Date
  /** In SQL, of organizations without a list of their own. */
  hiddenScopes: Statement
}

/** Until no endpoint lags behind. */
export async function fanOut(options: FanOut): Promise<void> {
  const { hiddenScopes } = options
  for (let mayHaveMore = true; mayHaveMore;) {
    mayHaveMore = await advanceVendors(options)
    for (let after = 0, isLast = false; !isLast;) {
      const lagging = await options.read(
        laggingStatement(after, { now: options.clock(), hiddenScopes }, ENDPOINTS_AT_ONCE),
      )
      mayHaveMore = (await advance(options, lagging)) || mayHaveMore
      isLast = lagging.length < ENDPOINTS_AT_ONCE
      after = lagging.at(-1)?.endpoint_id ?? after
    }
  }
}

/** Whether there are more events than were read. */
async function advance(options: FanOut, lagging: readonly Lagging[]): Promise<boolean> {
  const { read, catalogue, clock } = options
  for (const { endpoint_id, scopes } of lagging)
    if (scopes === null) await read(disableStatement(endpoint_id, 'not_a_member', clock()))
  const live = Map.groupBy(
    lagging.filter(({ scopes }) => scopes !== null),
    ({ organization_id }) => organization_id ?? 0,
  )
  if (live.size === 0) return false
  const ranges = [...live].map(([organization_id, endpoints]) => ({ organization_id, after: earliest(endpoints) }))
  const events = await eventsAfter(options, ranges)
  const found = Map.groupBy(events, ({ organization_id }) => organization_id)
  await write(
    options,
    [...live].flatMap(([id, endpoints]) => stepsOf(catalogue, endpoints, found.get(id) ?? [])),
  )
  // What was read may be fewer than that, when the first of them are removed already.
  return ranges.some(
    ({ organization_id, after }) => (found.get(organization_id)?.at(-1)?.place ?? 0) >= after + EVENTS_AT_ONCE,
  )
}

/** An endpoint that was paused for long may lag behind the oldest event. */
async function eventsAfter({ read, catalogue }: FanOut, ranges: readonly Range[]): Promise<PlacedEvent[]> {
  const { after, left } = eventsFor(catalogue)
  const events = await read(after(ranges, EVENTS_AT_ONCE))
  const found = new Set(events.map(({ organization_id }) => organization_id))
  const cut = ranges.filter(({ organization_id }) => !found.has(organization_id))
  if (cut.length === 0) return events
  return [...events, ...(await read(after(await read(left(cut)), EVENTS_AT_ONCE)))]
}

async function advanceVendors(options: FanOut): Promise<boolean> {
  const { read, catalogue } = options
  if ((await read(anyVendorsStatement)).length === 0) return false
  const lagging = await read(laggingVendorsStatement, orderEvents)
  if (lagging.length === 0) return false
  const events = await read(eventsFor(catalogue).ofAllAfter(earliest(lagging), EVENTS_AT_ONCE))
  await write(options, stepsOf(catalogue, lagging, events))
  return events.length === EVENTS_AT_ONCE
}

const earliest = (endpoints: readonly Lagging[]): number => Math.min(...endpoints.map(({ cursor }) => cursor))

async function write({ read, clock }: FanOut, steps: readonly Step[]): Promise<void> {
  let some: Step[] = []
  let size = 0
  for (const [index, step] of steps.entries()) {
    some.push(step)
    size += step.messages.length
    if (size < MESSAGES_AT_ONCE && index < steps.length - 1) continue
    await read(fanOutStatement(some, clock()))
    some = []
    size = 0
  }
}

function stepsOf(catalogue: Catalogue, endpoints: readonly Lagging[], events: readonly PlacedEvent[]): Step[] {
  const last = events.at(-1)
  if (!last) return []
  const made = events.map((event) => ({ place: event.place, messageFor: messageOf(catalogue, event) }))
  return endpoints
    .filter(({ cursor }) => cursor < last.place)
    .map((endpoint) => {
      const { endpoint_id, organization_id, cursor: from } = endpoint
      const news = made.filter(({ place }) => place > from)
      const messages = news.flatMap(({ messageFor }) => messageFor(endpoint) ?? [])
      return { endpoint_id, organization_id, from, to: last.place, messages }
    })
}
