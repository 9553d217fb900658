// Where PostgreSQL is: an embedded server under DATA_DIR, or the one that DATABASE_URL names.
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DatabaseConfig } from '#config/config.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { waitForDatabase } from '../postgres/wait.ts'
import { checkOwnerLogin, checkRoleLogin, checkSharedLogin } from '../postgres/login-check.ts'
import { APP, SYSTEM } from '../postgres/roles.ts'
import type { Urls } from './compose.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

export type Postgres = { ownerUrl: string; urls: Urls; stop(): Promise<void> }

/** Waits up to `startSeconds` for a database that cannot be reached yet; `signal` ends the wait. */
export async function openPostgres(
  { database, dataDir }: DatabaseConfig,
  log: Logger,
  signal?: AbortSignal,
): Promise<Postgres> {
  if (database.url === null) {
    const server = await startEmbedded({ dataDir, log })
    const urls = { app: server.url, system: server.url, isRoleLogin: false }
    return { ownerUrl: server.url, urls, stop: () => server.stop() }
  }
  const { url, systemUrl, ownerUrl, startSeconds: seconds } = database
  const given = { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: url, DATABASE_SYSTEM_URL: systemUrl }
  for (const [setting, address] of Object.entries(given))
    if (address !== null) await waitForDatabase({ url: address, setting, seconds, log, signal })
  const urls = { app: url, system: systemUrl ?? url, isRoleLogin: systemUrl !== null }
  const owner = { setting: ownerUrl === null ? 'DATABASE_URL' : 'DATABASE_OWNER_URL', url: ownerUrl ?? url }
  await checkOwnerLogin(owner)
  return { ownerUrl: owner.url, urls, stop: async () => {} }
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
