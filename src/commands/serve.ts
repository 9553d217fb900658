// `serve`: the API, the pages and, unless told otherwise, the jobs, until SIGTERM.
import closeWithGrace from 'close-with-grace'
import { sql } from '#kernel/sql.ts'
import type { Config } from '../config.ts'
import { migrate } from '../postgres/migrate.ts'
import { loadHooks } from '../server/hooks.ts'
import { makeAdministrator } from './administrator.ts'
import { compose, MIGRATIONS, type Service } from './compose.ts'
import { openPostgres } from './databases.ts'
import { loadDemo } from './demo.ts'
import type { Console } from './console.ts'
import { loadSecrets } from './secrets.ts'

export type ServeOptions = { config: Config; console: Console; withJobs: boolean; withApi: boolean }

const DRAIN_MS = 14_000

export async function serve({ config: given, console, withJobs, withApi }: ServeOptions): Promise<void> {
  const { log } = console
  const config = await withPort(given)
  const postgres = await openPostgres(config, log)
  let ready = false
  let service: Service | undefined
  try {
    await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
    const secrets = await loadSecrets(config)
    const hooks = await loadHooks(config.hooks)
    service = await compose({ config, secrets, urls: postgres.urls, hooks, log, isReady: () => ready })
    const administrator = await makeAdministrator(service, config, postgres.isNew)
    if (withApi) {
      await service.app.listen({ host: config.host, port: config.port })
      await service.sandbox?.payments.start()
    }
    if (withJobs) await service.worker.start()
    const demo =
      (config.demo ?? (config.sandbox && config.database.url === null)) ? await loadDemo(service, config) : null
    await service.database.read('titular_system', [sql`select 1`])
    ready = true
    if (withApi) console.welcome({ config, administrator, demo })
  } catch (error) {
    await service?.close().catch(() => {})
    await postgres.stop()
    throw error
  }
  const running = service
  closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err, signal }) => {
    ready = false
    if (err) log.fatal({ err }, 'the process ends because of an error that nobody caught')
    log.info({ signal }, 'draining')
    await running.close()
    await postgres.stop()
    log.info('stopped')
  })
}

/** Port 0 is decided before anything that needs the address is made. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const { createServer } = await import('node:net')
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, config.host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
  const publicUrl = config.isPublicUrlDerived ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl
  return { ...config, port, publicUrl }
}
