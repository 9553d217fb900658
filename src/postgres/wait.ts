// Waits at the start for a PostgreSQL that cannot be reached yet, as one that starts at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
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

/** What passes by itself. A wrong password or a missing database does not. */
const AWAY = /^(08...|53300|57P0[1-3]|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN)$/

export async function waitForDatabase({ url, setting, seconds, log, signal }: WaitOptions): Promise<void> {
  const end = Date.now() + seconds * 1000
  let told = -Infinity
  for (;;) {
    const reason = await reasonOfAbsence(url)
    if (reason === null) return
    const left = end - Date.now()
    if (left <= 0)
      throw new StartupError(
        `The database at ${hostOf(url)} cannot be reached (${reason}); gave up after ${seconds} s. Start it, or correct ${setting}.`,
      )
    if (Date.now() - told >= TELL_MS) {
      told = Date.now()
      log.warn(
        `The database at ${hostOf(url)} cannot be reached (${reason}); trying for ${Math.ceil(left / 1000)} s more.`,
      )
    }
    await sleep(Math.min(TRY_MS, left), undefined, { signal })
  }
}

/** Null when it answers, be it with a refusal: what is wrong then is told by the checks of the logins. */
async function reasonOfAbsence(url: string): Promise<string | null> {
  const client = new Client({
    connectionString: url,
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
    if (!(error instanceof Error)) throw error
    const code = 'code' in error ? String(error.code) : ''
    if (AWAY.test(code)) return code.startsWith('E') ? code : error.message
    if (/timeout|Connection terminated/i.test(error.message)) return 'no answer'
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Without the login. */
function hostOf(url: string): string {
  const { host, searchParams } = new URL(url)
  return host || searchParams.get('host') || 'the local socket'
}
