// Waits at the start for a PostgreSQL that cannot be reached yet, for instance because it starts at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { connectionProblem, DatabaseAway, type Login } from './connection-problem.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

export type WaitOptions = {
  url: string
  /** The setting that messages name. */
  setting: string
  seconds: number
  log: Log
  signal?: AbortSignal | undefined
}

const TRY_MS = 500
const LOG_MS = 5000
const CONNECT_MS = 5000

/** Problems that waiting does not solve (a wrong password, a missing database) are thrown at once. */
export async function waitForDatabase({ url, setting, seconds, log, signal }: WaitOptions): Promise<void> {
  const end = Date.now() + seconds * 1000
  let loggedAt = -Infinity
  for (;;) {
    const problem = await problemOf({ url, setting })
    if (problem === null) return
    const left = end - Date.now()
    if (left <= 0) throw new StartupError(`${problem.message}; gave up after ${seconds} s`, { cause: problem })
    if (Date.now() - loggedAt >= LOG_MS) {
      loggedAt = Date.now()
      log.warn(`${problem.message}; trying for ${Math.ceil(left / 1000)} s more`)
    }
    await sleep(Math.min(TRY_MS, left), undefined, { signal })
  }
}

/** Null when the database answers. */
async function problemOf(login: Login): Promise<DatabaseAway | null> {
  const client = new Client({
    connectionString: login.url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'titular start',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A statement, since a pooler accepts connections even when the database is away.
    await client.query('select 1')
    return null
  } catch (error) {
    const problem = connectionProblem(login, error)
    if (problem instanceof DatabaseAway) return problem
    throw problem
  } finally {
    await client.end().catch(() => undefined)
  }
}
