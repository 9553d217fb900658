// The command `migrate`: brings the database to the schema of this version.
import type { DatabaseConfig } from '#config/config.ts'
import { type Distribution, distribute } from '../postgres/citus/distribute.ts'
import type { Log } from '../postgres/log.ts'
import { migrate } from '../postgres/migrate.ts'
import type { Console } from './console.ts'
import { MIGRATIONS, openPostgres } from './databases.ts'

type Options = { config: DatabaseConfig; console: Console; distributes: boolean }

export async function migrateCommand({ config, console: { log }, distributes }: Options): Promise<void> {
  const postgres = await openPostgres(config, log)
  try {
    const run = await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
    log.info(run.length === 0 ? 'The database is up to date.' : `Ran ${run.join(', ')}.`)
    if (distributes) {
      log.warn('Distribution is a preview: docs/scaling.md says what does not work yet.')
      report(await distribute({ ownerUrl: postgres.ownerUrl, log }), log)
    }
  } finally {
    await postgres.stop()
  }
}

function report({ distributed, lost }: Distribution, log: Log): void {
  log.info(
    distributed.length === 0
      ? 'The tables of organizations are distributed already.'
      : `Distributed ${distributed.length} tables by organization_id. Restart the service.`,
  )
  if (lost.length > 0) log.warn(`The cluster cannot keep these foreign keys: ${lost.join(', ')}.`)
}
