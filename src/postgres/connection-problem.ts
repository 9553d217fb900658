// Explains why PostgreSQL was not reached or refused a login: one line that names the setting and says what to do.
import { DatabaseError } from 'pg'
import { StartupError } from './startup-error.ts'

/** The database does not answer at the moment; waiting may help. */
export class DatabaseAway extends StartupError {}

/** The URL of a setting. Messages about it never contain the password. */
export type Login = { setting: string; url: string }

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

export function connectionProblem({ setting, url }: Login, cause: unknown): StartupError {
  const { host, login, database } = partsOf(url)
  const code = codeOf(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  const away = (what: string) => new DatabaseAway(`${setting}: ${what}`, { cause })
  const refused = (what: string) => new StartupError(`${setting}: ${what}`, { cause })
  if (AWAY.has(code) || /timeout expired|connection timeout|terminated unexpectedly/i.test(message))
    return away(`no PostgreSQL answers at ${host} (${code || message}); start it, or correct the address`)
  if (code === '57P03' || code === '53300') return away(`PostgreSQL at ${host} takes no connection yet (${message})`)
  if (code === '28P01') return refused(`PostgreSQL refuses the password of ${login} at ${host}; correct it`)
  if (code.startsWith('28')) return refused(`PostgreSQL at ${host} refuses the login ${login} (${message})`)
  if (code === '3D000')
    return refused(
      `there is no database ${database} at ${host}; make it (create database ${database}) or correct the name`,
    )
  if (code === '42501')
    return refused(
      `${login} has too few rights (${message}); as an administrator: grant connect on database ` +
        `${database} to ${login}`,
    )
  if (/unsupported startup parameter/i.test(message)) return refused(throughPooler(setting, message))
  return refused(`the connection to ${host} failed (${message})`)
}

/** PgBouncer does not pass on the options with which a login sets its role. */
export const throughPooler = (setting: string, reason: string): string =>
  setting === 'DATABASE_OWNER_URL'
    ? `a pooler such as PgBouncer stands before the database (${reason}); migrations need an address past it`
    : `a pooler such as PgBouncer stands before the database (${reason}); give each role a login of its ` +
      'own: DATABASE_URL, DATABASE_SYSTEM_URL, and DATABASE_OWNER_URL past the pooler ' +
      '(docs/operations.md)'

function partsOf(url: string): { host: string; login: string; database: string } {
  const { host, username, pathname } = new URL(url)
  const login = decodeURIComponent(username) || 'the login'
  return { host: host || 'the local socket', login, database: decodeURIComponent(pathname.slice(1)) || login }
}

function codeOf(error: unknown): string {
  if (error instanceof DatabaseError) return error.code ?? ''
  // All addresses of a name failed; the first error is representative.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
