// Waits at the start for a PostgreSQL that cannot be reached yet, as one that starts at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { connectionProblem, DatabaseAway, type Login } from './connection-problem.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

export type WaitOptions = {
  url: string
  /** Named when the database does not come. */
  setting: string
  seconds: number
  log: Log
  signal?: AbortSignal | undefined
}

const TRY_MS = 500
const TELL_MS = 5000
const CONNECT_MS = 5000

/** What does not pass by itself (a wrong password, a missing database) is thrown at once. */
export async function waitForDatabase({ url, setting, seconds, log, signal }: WaitOptions): Promise<void> {
  const end = Date.now() + seconds * 1000
  let told = -Infinity
  for (;;) {
    const absence = await absenceOf({ url, setting })
    if (absence === null) return
    const left = end - Date.now()
    if (left <= 0) throw new StartupError(`${absence.message}; gave up after ${seconds} s`, { cause: absence })
    if (Date.now() - told >= TELL_MS) {
      told = Date.now()
      log.warn(`${absence.message}; trying for ${Math.ceil(left / 1000)} s more`)
    }
    await sleep(Math.min(TRY_MS, left), undefined, { signal })
  }
}

/** Null when it answers. */
async function absenceOf(login: Login): Promise<DatabaseAway | null> {
  const client = new Client({
    connectionString: login.url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'titular start',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // A pooler answers for a database that is away.
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
