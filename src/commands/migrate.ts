// The command `migrate`: brings the database to the schema of this version.
import type { DatabaseConfig } from '#config/config.ts'
import { migrate } from '../postgres/migrate.ts'
import type { Console } from './console.ts'
import { MIGRATIONS, openPostgres } from './databases.ts'

export async function migrateCommand({
  config,
  console: { log },
}: {
  config: DatabaseConfig
  console: Console
}): Promise<void> {
  const postgres = await openPostgres(config, log)
  try {
    const run = await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
    log.info(run.length === 0 ? 'The database is up to date.' : `Ran ${run.join(', ')}.`)
  } finally {
    await postgres.stop()
  }
}
