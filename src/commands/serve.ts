// `serve`: the API, the pages and, unless told otherwise, the jobs, until SIGTERM.
import closeWithGrace from 'close-with-grace'
import { sql } from '#kernel/sql.ts'
import type { Config } from '../config.ts'
import { migrate } from '../postgres/migrate.ts'
import { loadHooks } from '../server/hooks.ts'
import type { Service } from './compose.ts'
import type { Console } from './console.ts'
import { MIGRATIONS, openPostgres, type Postgres } from './databases.ts'
import { loadSecrets } from './secrets.ts'

export type ServeOptions = { config: Config; console: Console; withJobs: boolean; withApi: boolean }

const DRAIN_MS = 14_000

type Started = { postgres?: Postgres; service?: Service; isReady: boolean; isStopping: boolean }

export async function serve(options: ServeOptions): Promise<void> {
  const { log } = options.console
  const started: Started = { isReady: false, isStopping: false }
  const stop = async (): Promise<void> => {
    started.isReady = false
    await started.service?.close()
    await started.postgres?.stop()
  }
  // Listening from the beginning: a signal during the start must not leave the embedded database behind.
  const begun = start(options, started)
  const signals = closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err, signal }) => {
    started.isStopping = true
    if (err) log.fatal({ err }, 'the process ends because of an error that nobody caught')
    log.info({ signal }, 'draining')
    await begun.catch(() => {})
    await stop()
    log.info('stopped')
  })
  try {
    await begun
  } catch (error) {
    if (started.isStopping) return
    signals.uninstall()
    await stop().catch(() => {})
    throw error
  }
}

async function start({ config: given, console, withJobs, withApi }: ServeOptions, started: Started): Promise<void> {
  const { log } = console
  const config = await withPort(given)
  // Beside the database's start, which another core does.
  const preparing = prepare(config)
  preparing.catch(() => {})
  const postgres = await openPostgres(config, log)
  started.postgres = postgres
  goOn(started)
  await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
  goOn(started)
  const { secrets, hooks, compose, makeAdministrator, loadDemo } = await preparing
  const isReady = () => started.isReady
  const service = await compose({ config, secrets, urls: postgres.urls, hooks, log, isReady })
  started.service = service
  goOn(started)
  const administrator = await makeAdministrator(service, config, { isNew: postgres.isNew, log })
  if (withApi) {
    await service.app.listen({ host: config.host, port: config.port })
    await service.sandbox?.payments.start()
  }
  goOn(started)
  if (withJobs) await service.worker.start()
  const demo =
    (config.demo ?? (config.sandbox && config.database.url === null)) ? await loadDemo(service, config) : null
  await service.database.read('titular_system', [sql`select 1`])
  started.isReady = true
  if (withApi) console.welcome({ config, administrator, demo })
}

/** What needs no database: keys, hooks, and the reading of all the code. */
async function prepare(config: Config) {
  const [{ compose }, { makeAdministrator }, { loadDemo }, secrets, hooks] = await Promise.all([
    import('./compose.ts'),
    import('./administrator.ts'),
    import('./demo.ts'),
    loadSecrets(config),
    loadHooks(config.hooks),
  ])
  return { secrets, hooks, compose, makeAdministrator, loadDemo }
}

/** What comes after would only be undone again. */
function goOn({ isStopping }: Started): void {
  if (isStopping) throw new Error('stopped during the start')
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
