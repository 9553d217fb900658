// The commands `backup` and `restore`: the whole database to a file and back (docs/operations.md).
import type { DatabaseConfig } from '#config/config.ts'
import { backup } from '../postgres/backup.ts'
import { findEmbedded } from '../postgres/embedded.ts'
import { restore } from '../postgres/restore.ts'
import type { Console } from './console.ts'
import { MIGRATIONS, openPostgres } from './databases.ts'

type Options = { config: DatabaseConfig; console: Console; file: string }

/** Uses the embedded database of a running service, or starts it for the backup. */
export async function backupCommand({ config, console: { log }, file }: Options): Promise<void> {
  const running = config.database.url === null ? await findEmbedded(config.dataDir) : undefined
  const postgres = running ? { ownerUrl: running, stop: async () => {} } : await openPostgres(config, log)
  try {
    const { tables } = await backup({ ownerUrl: postgres.ownerUrl, file })
    log.info(`Wrote ${tables.length} tables with ${rowsOf(tables)} rows to ${file}.`)
  } finally {
    await postgres.stop()
  }
}

export async function restoreCommand({ config, console: { log }, file }: Options): Promise<void> {
  const postgres = await openPostgres(config, log)
  try {
    const { tables } = await restore({ ownerUrl: postgres.ownerUrl, file, migrationsDirectory: MIGRATIONS, log })
    log.info(`Restored ${tables.length} tables with ${rowsOf(tables)} rows.`)
  } finally {
    await postgres.stop()
  }
}

const rowsOf = (tables: readonly { rows: number }[]): number => tables.reduce((sum, { rows }) => sum + rows, 0)
