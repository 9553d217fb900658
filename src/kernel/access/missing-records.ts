// Counts the records that callers ask for by id and that are not there for them (404), so that whoever tries ids is
// seen in the audit log (docs/interface/operations.md). In memory, by caller, organization and hour: an answer of 404
// takes no statement more, and says nothing about whether another organization has the record.
import type { Caller } from '#kernel/data/context.ts'
import { missingEntry, serviceEntry } from '#kernel/data/audit/audit.ts'
import type { Database } from '#kernel/database/database.ts'
import { tenantStatement } from './access-check.ts'

export type Missing = {
  /** Of the header; null where the route is in no organization. */
  organizationId: number | null
  caller: Pick<Caller, 'kind' | 'userId' | 'name'>
  callerKey: string
  /** The route's method and path. */
  request: string
  now: Date
  ip: string | null
}

type Tally = Missing & { count: number; requests: Map<string, number> }

type Options = { database: Database; clock: () => Date; onError: (error: unknown) => void }

/** Fewer in an hour are stale links and typing errors. */
const LEAST = 20
const WINDOW_MS = 3_600_000
/** Callers and organizations that one process counts; beyond, new ones are not. */
const MOST_TALLIES = 10_000
const MOST_REQUESTS = 5

export function createMissingRecords({ database, clock, onError }: Options) {
  let since = clock()
  let tallies = new Map<string, Tally>()
  return {
    count(missing: Missing): void {
      const key = `${missing.organizationId} ${missing.callerKey}`
      const known = tallies.get(key)
      if (!known && tallies.size >= MOST_TALLIES) return
      const tally = known ?? { ...missing, count: 0, requests: new Map<string, number>() }
      tally.count++
      tally.requests.set(missing.request, (tally.requests.get(missing.request) ?? 0) + 1)
      tallies.set(key, tally)
    },
    /** Writes the entries of an hour that is over; of a process that ends, those of the hour that is not. */
    async write(now: Date, isLast = false): Promise<void> {
      if (!isLast && now.getTime() - since.getTime() < WINDOW_MS) return
      const [over, begin] = [tallies, since]
      tallies = new Map()
      since = now
      for (const tally of over.values())
        if (tally.count >= LEAST) await writeTally(database, tally, { begin, now }).catch(onError)
    },
  }
}

/** Into the service's log where the organization does not exist, or none was named. */
async function writeTally(database: Database, tally: Tally, { begin, now }: { begin: Date; now: Date }): Promise<void> {
  const { organizationId, caller, ip, count } = tally
  const actor = { caller, now, requestId: 'refusals', ip }
  const requests = [...tally.requests]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_REQUESTS)
    .map(([request]) => request)
  const details = { count, since: begin.toISOString(), requests }
  if (organizationId !== null) {
    const entry = missingEntry({ ...actor, organizationId }, details)
    const [, written] = await database.read('titular_app', [tenantStatement(organizationId, false), entry])
    if (written?.length) return
  }
  const subject = { resource: 'route', id: null, details }
  await database.read('titular_system', [serviceEntry(actor, 'records_not_found', subject)])
}
