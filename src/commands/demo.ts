// `demo`: loads the demo data into the configured database.
import type { Config } from '#config/config.ts'
import { migrate } from '../postgres/migrate.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { compose } from './compose.ts'
import type { Console } from './console.ts'
import { loadDemoAlone } from './load-demo.ts'
import { MIGRATIONS, openPostgres } from './databases.ts'
import { loadSecrets } from './secrets.ts'

export async function demoCommand({ config, console }: { config: Config; console: Console }): Promise<void> {
  // The demo's password is public.
  if (!config.sandbox) throw new StartupError('SANDBOX is off; the demo needs SANDBOX=1')
  const postgres = await openPostgres(config, console.log)
  try {
    await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log: console.log })
    const service = await compose({
      config,
      secrets: await loadSecrets(config),
      logins: () => postgres.logins,
      hooks: {},
      log: console.log,
    })
    try {
      console.welcome({ config, administrator: null, demo: await loadDemoAlone(postgres.ownerUrl, service, config) })
    } finally {
      await service.close()
    }
  } finally {
    await postgres.stop()
  }
}
