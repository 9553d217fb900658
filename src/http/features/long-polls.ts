// Requests that wait for events. They hold no connection of the database: one statement for all of them asks every half
// second how far the events have come, whichever process wrote them.
import type { Database } from '#kernel/database/database.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { callerKeyOf, keyReach } from '#http/access.ts'
import type { Answer, AuthenticatedContext } from '#http/request-context.ts'
import type { Features } from './features.ts'

const ASK_MS = 500
/** More requests of one caller, of one organization or of all are answered at once, as if they did not want to wait. */
const MOST_OF_CALLER = 5
const MOST_OF_ORGANIZATION = 50
const MOST = 1000

type LongPollOptions = {
  /** Null: the events of all organizations. */
  organizationId: number | null
  callerKey: string
  seconds: number
  /** Aborted when the client has gone. */
  gone: AbortSignal
}

type LongPoll = {
  /** True when there are events after that one; false when the time is up, or nobody needs the answer any more. */
  hasMore(after: number): Promise<boolean>
  leave(): void
}

type LongPolls = {
  /** Null when there are too many. */
  enter(wanted: LongPollOptions): LongPoll | null
  /** How many requests wait. */
  waiting(): number
  /** Requests that wait are answered now, and no other one waits. */
  close(): void
}

type Waiting = { organizationId: number | null; after: number; wake: (hasMore: boolean) => void }

export function createLongPolls(database: Pick<Database, 'read'>): LongPolls {
  const closing = new AbortController()
  const waiting = new Set<Waiting>()
  const byCaller = counter()
  const byOrganization = counter()
  let entered = 0
  let timer: NodeJS.Timeout | undefined
  let isAsking = false

  async function ask(): Promise<void> {
    if (isAsking) return
    isAsking = true
    const all = [...waiting]
    // Without an answer of the database they wait on, until their time is up.
    const last = await lastOf(database, all).catch(() => null)
    for (const one of all) if ((last?.(one.organizationId) ?? 0) > one.after) one.wake(true)
    isAsking = false
  }
  function stopAsking(): void {
    clearInterval(timer)
    timer = undefined
  }
  function wait({ organizationId, ended }: { organizationId: number | null; ended: AbortSignal }, after: number) {
    if (ended.aborted) return Promise.resolve(false)
    timer ??= setInterval(() => void ask(), ASK_MS).unref()
    return new Promise<boolean>((resolve) => {
      const stop = () => one.wake(false)
      const one: Waiting = {
        organizationId,
        after,
        wake(hasMore) {
          ended.removeEventListener('abort', stop)
          waiting.delete(one)
          if (waiting.size === 0) stopAsking()
          resolve(hasMore)
        },
      }
      waiting.add(one)
      ended.addEventListener('abort', stop)
    })
  }
  return {
    enter({ organizationId, callerKey, seconds, gone }) {
      const isFull = organizationId !== null && byOrganization.of(organizationId) >= MOST_OF_ORGANIZATION
      if (isFull || entered >= MOST || byCaller.of(callerKey) >= MOST_OF_CALLER) return null
      entered++
      byCaller.add(callerKey, 1)
      byOrganization.add(organizationId, 1)
      const ended = AbortSignal.any([gone, closing.signal, AbortSignal.timeout(seconds * 1000)])
      return {
        hasMore: (after) => wait({ organizationId, ended }, after),
        leave() {
          entered--
          byCaller.add(callerKey, -1)
          byOrganization.add(organizationId, -1)
        },
      }
    },
    waiting: () => waiting.size,
    close: () => closing.abort(),
  }
}

/** How many there are of each; of those that have none nothing is kept. */
function counter() {
  const counts = new Map<unknown, number>()
  const of = (key: unknown) => counts.get(key) ?? 0
  return {
    of,
    add(key: unknown, more: number): void {
      const count = of(key) + more
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

type Last = { organization_id: number | null; last: number }

/** How far the events of the organizations have come, and those of all in their common order. */
async function lastOf(
  database: Pick<Database, 'read'>,
  waiting: readonly Waiting[],
): Promise<(organizationId: number | null) => number> {
  const ids = [...new Set(waiting.flatMap(({ organizationId }) => organizationId ?? []))]
  const statements: Statement<Last>[] = [
    sql<Last>`select organization_id, last_sequence as last from event_sequences where organization_id = any(${ids})`,
  ]
  if (waiting.some(({ organizationId }) => organizationId === null))
    statements.push(sql<Last>`
      select null::bigint as organization_id,
             last_position + case when exists (select 1 from events where position is null) then 1 else 0 end as last
        from event_positions`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows of these statements
  const rows = (await database.read('titular_system', statements)).flat() as Last[]
  const found = new Map(rows.map(({ organization_id, last }) => [organization_id, last]))
  return (organizationId) => found.get(organizationId) ?? 0
}

/** Reads again whenever there are new events, until the answer says something or the time is up. */
export async function answerWhenThere(
  context: AuthenticatedContext,
  { nextOf }: NonNullable<Features['longPoll']>,
  answerRead: (context: AuthenticatedContext) => Promise<Answer>,
): Promise<Answer> {
  const { engine, request, accessRequest } = context
  let latest = await answerRead(context)
  const seconds = Number(request.query['wait'] ?? 0)
  if (seconds === 0) return latest
  const { credential, organizationId } = accessRequest
  const callerKey = callerKeyOf(credential)
  const poll = engine.longPolls.enter({ organizationId, callerKey, seconds, gone: request.gone() })
  try {
    for (;;) {
      const after = nextOf(latest.body.data)
      if (after === null || !(await poll?.hasMore(after))) return latest
      const now = engine.clock()
      const query = { ...request.query, after: String(after) }
      const again = { ...context, now, request: { ...request, query }, isRepeated: true as const }
      // The key may be limited meanwhile.
      const reach = await keyReach(again, credential)
      latest = await answerRead({ ...again, accessRequest: { ...context.accessRequest, now, reach } })
    }
  } finally {
    poll?.leave()
  }
}
