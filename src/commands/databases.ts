// Where PostgreSQL is: an embedded server under DATA_DIR, or the one that DATABASE_URL names.
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DatabaseConfig } from '#config/config.ts'
import type { Logins } from '#kernel/database/database.ts'
import { isDistributed } from '../postgres/citus/cluster.ts'
import { onCluster } from '../postgres/citus/logins.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { waitForDatabase } from '../postgres/wait.ts'
import { withLogin } from '../postgres/login.ts'
import { checkOwnerLogin, checkRoleLogin, checkSharedLogin } from '../postgres/login-check.ts'
import { APP, sharedLogin, SYSTEM } from '../postgres/roles.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

export type ServerLogins = Logins & {
  /** The tables of organizations are spread over the nodes of a cluster (docs/scaling.md). */
  readonly isDistributed?: boolean
}
export type Postgres = { ownerUrl: string; logins: ServerLogins; stop(): Promise<void> }

/**
 * Waits up to `startSeconds` for a database that cannot be reached yet; `signal` ends the wait. `onSpawned`:
 * embedded.ts.
 */
export async function openPostgres(
  { database, dataDir }: DatabaseConfig,
  log: Logger,
  { signal, ...start }: { signal?: AbortSignal; onSpawned?: () => void } = {},
): Promise<Postgres> {
  if (database.url === null) {
    const server = await startEmbedded({ dataDir, log, ...start })
    return { ownerUrl: server.url, logins: sharedLogin(server.url), stop: () => server.stop() }
  }
  const { url, systemUrl, ownerUrl, startSeconds: seconds } = database
  const settings = { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: url, DATABASE_SYSTEM_URL: systemUrl }
  for (const [setting, address] of Object.entries(settings))
    if (address !== null) await waitForDatabase({ url: address, setting, seconds, log, signal })
  const owner = { setting: ownerUrl === null ? 'DATABASE_URL' : 'DATABASE_OWNER_URL', url: ownerUrl ?? url }
  await checkOwnerLogin(owner)
  const given =
    systemUrl === null
      ? sharedLogin(url)
      : { [APP]: { connectionString: url }, [SYSTEM]: { connectionString: systemUrl } }
  const logins = (await withLogin(owner.url, isDistributed)) ? onCluster(given) : given
  return { ownerUrl: owner.url, logins, stop: async () => {} }
}

/** Checks the logins of requests and jobs: logins of their own before the migrations, a shared one after them. */
export async function checkLogins(
  { url, systemUrl }: DatabaseConfig['database'],
  when: 'before' | 'after',
): Promise<void> {
  if (url === null) return
  const app = { setting: 'DATABASE_URL', url }
  if (systemUrl === null) {
    // The first migration may have created the roles that it switches to only now.
    if (when === 'after') await checkSharedLogin(app)
    return
  }
  if (when === 'after') return
  await checkRoleLogin(app, APP)
  await checkRoleLogin({ setting: 'DATABASE_SYSTEM_URL', url: systemUrl }, SYSTEM)
}
