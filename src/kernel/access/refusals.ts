// Writes refusals into the audit log of the organization that they concern, or into the service's own. Beyond a limit
// per minute they are only counted, so that a flood of them fills no disk.
import type { Caller } from '#kernel/data/context.ts'
import { createMissingRecords, type Missing } from './missing-records.ts'
import type { Database } from '#kernel/database/database.ts'
import { tenantStatement } from './access-check.ts'
import { leftOutEntry, refusalEntry, serviceEntry } from '#kernel/data/audit/audit.ts'

export type Refusal = {
  /** The organization that the request named, which may not exist; null when it named none. */
  organizationId: number | null
  /** The name of a caller who is no member is the number of the account. */
  caller: Pick<Caller, 'kind' | 'userId' | 'name'>
  /** Refusals with the same key are counted together: an account, an API key or an address. */
  callerKey: string
  /** The route's method and path. */
  request: string
  reason: string
  now: Date
  requestId: string
  ip: string | null
}

export type Refusals = {
  /** Resolves when the entry is written, or after a second. Never rejects, since the refusal must be answered. */
  record(refusal: Refusal): Promise<void>
  /** Counts a record that the caller asked for and that is not there for them, without waiting. */
  countMissing(missing: Missing): void
  /** Writes what was counted, and how many were left out in the last window; another one begins. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Options = { database: Database; clock: () => Date; onError: (error: unknown) => void }

/** Entries written in a minute, by each process. */
const MAX_PER_CALLER = 10
const MAX_PER_ORGANIZATION = 30
const MAX_PER_PROCESS = 120
const WINDOW_MS = 60_000
const SWEEP_MS = 10_000
const MAX_WAIT_MS = 1000

type Counts = { written: number; leftOut: number }
type Window = {
  since: Date
  written: number
  /** Null is the service itself, which also counts for organizations without a written entry. */
  organizations: Map<number | null, Counts>
  byCaller: Map<string, number>
}

export function createRefusals({ database, clock, onError }: Options): Refusals {
  let window = windowFrom(clock())
  const missing = createMissingRecords({ database, clock, onError })
  const timer = setInterval(() => {
    void startNextWindow(clock())
    void missing.write(clock())
  }, SWEEP_MS).unref()

  async function startNextWindow(now: Date, isLast = false): Promise<void> {
    const over = window
    if (!isLast && now.getTime() - over.since.getTime() < WINDOW_MS) return
    window = windowFrom(now)
    for (const [organizationId, { leftOut: count }] of over.organizations)
      if (count > 0) await writeLeftOut(database, { organizationId, count, since: over.since, now }).catch(onError)
  }
  async function flush(): Promise<void> {
    await missing.write(clock(), true)
    await startNextWindow(clock(), true)
  }
  return {
    flush,
    async record(refusal) {
      const counted = startNextWindow(refusal.now)
      const written = countRefusal(window, refusal) ? write(database, refusal).catch(onError) : null
      await inTime(Promise.all([counted, written]))
    },
    countMissing: missing.count,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

const windowFrom = (since: Date): Window => ({
  since,
  written: 0,
  organizations: new Map([[null, { written: 0, leftOut: 0 }]]),
  byCaller: new Map(),
})

/** True when the refusal is to be written; else it counts as left out. The maps grow only with written entries. */
function countRefusal(window: Window, { organizationId, callerKey }: Refusal): boolean {
  const ofCaller = window.byCaller.get(callerKey) ?? 0
  const known = window.organizations.get(organizationId)
  const isWithinLimits =
    window.written < MAX_PER_PROCESS && ofCaller < MAX_PER_CALLER && (known?.written ?? 0) < MAX_PER_ORGANIZATION
  const counts = known ?? (isWithinLimits ? { written: 0, leftOut: 0 } : window.organizations.get(null))
  if (!counts) return false
  if (!isWithinLimits) {
    counts.leftOut++
    return false
  }
  window.organizations.set(organizationId, counts)
  window.byCaller.set(callerKey, ofCaller + 1)
  window.written++
  counts.written++
  return true
}

/** Into the service's log when the organization does not exist. */
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
  const timer = setTimeout(resolve, MAX_WAIT_MS)
  await Promise.race([written, late])
  clearTimeout(timer)
}
