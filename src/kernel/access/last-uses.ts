// When sessions and API keys were last used: kept in memory by the requests and written once a minute, so that no
// request writes.
import type { Database } from '#kernel/database/database.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { KeyOwner } from './credentials.ts'

type UsedKey = { of: KeyOwner; id: number }

export type LastUses = {
  /** Null for callers without a session. */
  ofSession(sessionId: number | null, now: Date): void
  /** `organizationId`: of a key that belongs to one. */
  ofKey(key: UsedKey, organizationId: number | null, now: Date): void
  /** Writes what was used since the last time. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Options = { database: Database; onError: (error: unknown) => void }
type Use = { id: number; organizationId: number; at: Date }
type Uses = Map<string, Use>

const WRITE_MS = 60_000
/** The times that people see are this coarse. */
const STEP = '5 minutes'
const MAX_USES = 10_000

export function createLastUses({ database, onError }: Options): LastUses {
  const sessions = collected()
  const keys = { organization: collected(), vendor: collected() }
  const timer = setInterval(() => void flush(), WRITE_MS).unref()

  async function flush(): Promise<void> {
    const statements = [
      ...sessions.take(ofSessions),
      ...keys.organization.take(ofOrganizations),
      ...keys.vendor.take(ofVendor),
    ]
    for (const statement of statements) await database.read('titular_system', [statement]).catch(onError)
  }
  return {
    ofSession(id, at) {
      if (id !== null) sessions.add({ id, organizationId: 0, at })
    },
    ofKey({ of, id }, organizationId, at) {
      keys[of].add({ id, organizationId: organizationId ?? 0, at })
    },
    flush,
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

function collected() {
  let uses: Uses = new Map()
  return {
    add(use: Use): void {
      const key = `${use.organizationId}.${use.id}`
      if (uses.size < MAX_USES || uses.has(key)) uses.set(key, use)
    },
    /** The statement that writes them, if there are any, which begin anew. */
    take(statementOf: (uses: Statement) => Statement): Statement[] {
      const over = [...uses.values()]
      uses = new Map()
      if (over.length === 0) return []
      return [
        statementOf(sql`unnest(${over.map(({ organizationId }) => organizationId)}::bigint[],
          ${over.map(({ id }) => id)}::bigint[], ${over.map(({ at }) => at)}::timestamptz[]) v(organization_id, id,
            at)`),
      ]
    },
  }
}

/** Rows that another transaction is changing are left for the next time, so that this waits for nobody. */
const ofSessions = (uses: Statement) => sql`
  with stale as materialized (
    select s.id, v.at from sessions s join ${uses} on v.id = s.id
     where s.last_seen_at < v.at - ${STEP}::interval for update of s skip locked
  )
  update sessions s set last_seen_at = stale.at from stale where s.id = stale.id`

const ofOrganizations = (uses: Statement) => sql`
  with stale as materialized (
    select k.organization_id, k.id, v.at from api_keys k
      join ${uses} on v.organization_id = k.organization_id and v.id = k.id
     where coalesce(k.last_used_at < v.at - ${STEP}::interval, true) for update of k skip locked
  )
  update api_keys k set last_used_at = stale.at from stale
   where k.organization_id = stale.organization_id and k.id = stale.id`

const ofVendor = (uses: Statement) => sql`
  with stale as materialized (
    select k.id, v.at from vendor_keys k join ${uses} on v.id = k.id
     where coalesce(k.last_used_at < v.at - ${STEP}::interval, true) for update of k skip locked
  )
  update vendor_keys k set last_used_at = stale.at from stale where k.id = stale.id`
