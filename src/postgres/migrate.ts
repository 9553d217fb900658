// Migrates the database: first the roles, then the numbered SQL files, each in its own transaction.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { assertUnchanged, recordChecksums } from './checksums.ts'
import { distributeAdded } from './citus/distribute.ts'
import { refreshFunctions } from './citus/functions.ts'
import { forMigrations } from './citus/migrating.ts'
import type { Log } from './log.ts'
import { withLogin } from './login.ts'
import { ensureRoles, OWNER } from './roles.ts'
import { StartupError } from './startup-error.ts'

export const MIGRATIONS_TABLE = 'schema_migrations'

export type MigrateOptions = {
  ownerUrl: string
  directory: string
  log: Log
  // The number of files to run, in their order; a restore stops at the last one of the backup.
  count?: number
}

const FILE = /^\d{4}-[a-z0-9-]+\.sql$/
const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_ATTEMPTS = 15
const LOCK_PAUSE_MS = 1_000

// Returns the names of the migrations that it ran.
export async function migrate({ ownerUrl, directory, log, count }: MigrateOptions): Promise<string[]> {
  const wanted = (await migrationsIn(directory)).slice(0, count)
  return withLogin(ownerUrl, async (client) => {
    await ensureRoles(client, log)
    await client.query(`set role ${OWNER}`)
    const run = await migrationsRun(client)
    await assertUnchanged(client, directory)
    if (isUpToDate(run, wanted)) {
      await recordChecksums(client, directory)
      await refreshFunctions(client)
      return []
    }
    // Read only when there is something to run, since most starts have nothing.
    const { PG_MIGRATE_LOCK_ID } = await import('node-pg-migrate')
    // Locked before the limit is set, because several processes that start at once may wait longer for each other.
    await client.query('select pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID])
    await client.query(`set lock_timeout = '2s'`)
    // Each flush is a wait in the first start. The last statement flushes all (recordChecksums).
    await client.query('set synchronous_commit = off')
    return runWithRetries(client, directory, wanted, log)
  })
}

export async function migrationsIn(directory: string): Promise<string[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  const misnamed = files.find((name) => !FILE.test(name))
  if (misnamed) throw new StartupError(`${directory}/${misnamed} is not named like 0001-organizations.sql.`)
  return files.map((name) => name.slice(0, -'.sql'.length))
}

export async function migrationsRun(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    `public.${MIGRATIONS_TABLE}`,
  ])
  if (!rows[0]?.exists) return []
  const run = await client.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE} order by name`)
  return run.rows.map((row) => row.name)
}

function isUpToDate(run: string[], wanted: string[]): boolean {
  assertReleased('database', run, wanted)
  const unknown = run.filter((name) => !wanted.includes(name))
  if (unknown.length > 0) {
    throw new StartupError(`The database is newer than this code (it has ${unknown.join(', ')}): run a newer version.`)
  }
  return run.length === wanted.length
}

/** The first migration of the first release is that of all later versions. */
export function assertReleased(what: 'database' | 'backup', [first]: string[], [released]: string[]): void {
  if (first === undefined || released === undefined || first === released) return
  throw new StartupError(
    `The ${what} was made before the first release (it has ${first}) and cannot be brought to this version: ` +
      'start with a new database, and bring the data over with exports and imports.',
  )
}

async function runWithRetries(client: Client, directory: string, wanted: string[], log: Log): Promise<string[]> {
  const before = await migrationsRun(client)
  for (let attempt = 1; ; attempt += 1) {
    const run = await migrationsRun(client)
    if (isUpToDate(run, wanted)) {
      await client.query('reset synchronous_commit')
      await recordChecksums(client, directory)
      await distributeAdded(client, log)
      return run.filter((name) => !before.includes(name))
    }
    try {
      await runFiles(client, directory, wanted.length - run.length)
      log.info(`Migrated the database: ${wanted.filter((name) => !run.includes(name)).join(', ')}.`)
    } catch (error) {
      // The runner leaves a failed transaction open on a connection that it was given.
      await client.query('rollback')
      const isLocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked || attempt === LOCK_ATTEMPTS) throw await failed(client, directory, error)
      log.warn('A migration waited for a lock in vain; trying again.')
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

async function runFiles(client: Client, directory: string, count: number): Promise<void> {
  const { runner } = await import('node-pg-migrate')
  await runner({
    dbClient: await forMigrations(client),
    dir: directory,
    ignorePattern: String.raw`(?!.*\.sql$).*`,
    direction: 'up',
    count,
    schema: 'public',
    migrationsTable: MIGRATIONS_TABLE,
    singleTransaction: false,
    advisoryLockMode: 'wait',
    // Silenced, since it prints the whole file of a failed migration; the error below names file and line.
    log: () => undefined,
  })
}

async function failed(client: Client, directory: string, cause: unknown): Promise<StartupError> {
  const run = await migrationsRun(client)
  const next = (await migrationsIn(directory)).find((name) => !run.includes(name)) ?? 'a migration'
  const file = `${directory}/${next}.sql`
  const position = cause instanceof DatabaseError ? Number(cause.position) : Number.NaN
  const line = position > 0 ? `:${(await readFile(file, 'utf8')).slice(0, position).split('\n').length}` : ''
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StartupError(`${file}${line} failed and changed nothing: ${reason}`, { cause })
}
