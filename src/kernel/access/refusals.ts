// Refused acts, for the audit log of the organization that they concern, or the service's own. A flood of them is counted
// and not written, so that it fills no disk.
import type { Caller } from '#kernel/data/context.ts'
import type { Database } from '#kernel/database/database.ts'
import { tenantStatement } from './access-check.ts'
import { leftOutEntry, refusalEntry, serviceEntry } from '#kernel/data/audit.ts'

export type Refusal = {
  /** That was asked for, which need not be there; null where none was. */
  organizationId: number | null
  /** A stranger to the organization is called by the number of the account. */
  caller: Pick<Caller, 'kind' | 'userId' | 'name'>
  /** Whose refusals are counted together: account, key or address. */
  who: string
  /** Method and path as the route has it. */
  request: string
  reason: string
  now: Date
  requestId: string
  ip: string | null
}

export type Refusals = {
  /** Resolves when it is written, or after a second; it never fails, since the refusal itself must be answered. */
  note(refusal: Refusal): Promise<void>
  /** Writes down how many were left out. */
  close(): Promise<void>
}

type Options = { database: Database; clock: () => Date; onError: (error: unknown) => void }

/** In a minute, in each process. */
const MOST_OF_ONE = 10
const MOST_OF_ORGANIZATION = 30
const MOST_IN_ALL = 120
const WINDOW_MS = 60_000
const SWEEP_MS = 10_000
const PATIENCE_MS = 1000

type Counts = { written: number; leftOut: number }
type Window = {
  since: Date
  written: number
  /** By organization; null is the service, which also counts for organizations of which nothing was written. */
  places: Map<number | null, Counts>
  byCaller: Map<string, number>
}

export function createRefusals({ database, clock, onError }: Options): Refusals {
  let window = windowFrom(clock())
  const timer = setInterval(() => void turnOver(clock()), SWEEP_MS).unref()

  async function turnOver(now: Date, isLast = false): Promise<void> {
    const over = window
    if (!isLast && now.getTime() - over.since.getTime() < WINDOW_MS) return
    window = windowFrom(now)
    for (const [organizationId, { leftOut: count }] of over.places)
      if (count > 0) await writeLeftOut(database, { organizationId, count, since: over.since, now }).catch(onError)
  }
  return {
    async note(refusal) {
      const counted = turnOver(refusal.now)
      const written = takesPlace(window, refusal) ? write(database, refusal).catch(onError) : null
      await inTime(Promise.all([counted, written]))
    },
    async close() {
      clearInterval(timer)
      await turnOver(clock(), true)
    },
  }
}

const windowFrom = (since: Date): Window => ({
  since,
  written: 0,
  places: new Map([[null, { written: 0, leftOut: 0 }]]),
  byCaller: new Map(),
})

/** Whether it is to be written; if not, it is counted. What a window remembers is bounded by what it lets be written. */
function takesPlace(window: Window, { organizationId, who }: Refusal): boolean {
  const ofCaller = window.byCaller.get(who) ?? 0
  const known = window.places.get(organizationId)
  const isRoom = window.written < MOST_IN_ALL && ofCaller < MOST_OF_ONE && (known?.written ?? 0) < MOST_OF_ORGANIZATION
  const place = known ?? (isRoom ? { written: 0, leftOut: 0 } : window.places.get(null))
  if (!place) return false
  if (!isRoom) {
    place.leftOut++
    return false
  }
  window.places.set(organizationId, place)
  window.byCaller.set(who, ofCaller + 1)
  window.written++
  place.written++
  return true
}

/** An organization that does not exist has no log of its own. */
async function write(database: Database, refusal: Refusal): Promise<void> {
  const { organizationId, request, reason } = refusal
  if (organizationId !== null) {
    const entry = refusalEntry({ ...refusal, organizationId })
    const [, written] = await database.read('titular_app', [tenantStatement(organizationId, false), entry])
    if (written?.length) return
  }
  const details = { request, reason, ...(organizationId !== null && { organization_id: organizationId }) }
  await database.read('titular_system', [serviceEntry(refusal, 'refused', { resource: 'route', id: null, details })])
}

type LeftOut = { organizationId: number | null; count: number; since: Date; now: Date }

async function writeLeftOut(database: Database, { organizationId, count, since, now }: LeftOut): Promise<void> {
  const caller = { kind: 'system', userId: null, name: 'system' } as const
  const actor = { caller, now, requestId: 'refusals', ip: null }
  const details = { count, since: since.toISOString() }
  if (organizationId !== null) {
    const entry = leftOutEntry({ ...actor, organizationId }, details)
    const [, written] = await database.read('titular_app', [tenantStatement(organizationId, false), entry])
    if (written?.length) return
  }
  const subject = { resource: 'route', id: null, details }
  await database.read('titular_system', [serviceEntry(actor, 'refusals_left_out', subject)])
}

async function inTime(written: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MS)
  await Promise.race([written, late])
  clearTimeout(timer)
}
