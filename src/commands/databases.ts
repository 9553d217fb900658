// Where PostgreSQL is: an embedded server under DATA_DIR, or the one that DATABASE_URL names.
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import type { Urls } from './compose.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

export type Postgres = { ownerUrl: string; urls: Urls; isNew: boolean; stop(): Promise<void> }

export async function openPostgres({ database, dataDir }: Config, log: Logger): Promise<Postgres> {
  if (database.url === null) {
    const server = await startEmbedded({ dataDir, log })
    const urls = { app: server.url, system: server.url, isRoleLogin: false }
    return { ownerUrl: server.url, urls, isNew: server.isNew, stop: () => server.stop() }
  }
  const { url, systemUrl, ownerUrl } = database
  const urls = { app: url, system: systemUrl ?? url, isRoleLogin: systemUrl !== null }
  return { ownerUrl: ownerUrl ?? url, urls, isNew: false, stop: async () => {} }
}
