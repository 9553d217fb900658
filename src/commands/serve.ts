// `serve`: the API, the pages and, unless told otherwise, the jobs, until SIGTERM.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sql } from '#kernel/sql.ts'
import type { Config } from '../config.ts'
import { migrate } from '../postgres/migrate.ts'
import { DRAIN_MS } from '../server/drain.ts'
import { loadHooks } from '../server/hooks.ts'
import type { Probes } from '../server/probes.ts'
import type { Service } from './compose.ts'
import type { Console } from './console.ts'
import { MIGRATIONS, openPostgres, type Postgres } from './databases.ts'
import { onStop } from './on-stop.ts'
import { loadSecrets } from './secrets.ts'

export type ServeOptions = { config: Config; console: Console; withJobs: boolean; withApi: boolean }

/** For requests and jobs; those that take longer come again, and the database is stopped all the same. */
const WORK_MS = DRAIN_MS + 1000
/** For everything, the delay before apart. */
const STOP_MS = 14_000

type Started = {
  postgres?: Postgres
  service?: Service
  probes?: Probes
  isReady: boolean
  stopping: AbortController
}

export async function serve(options: ServeOptions): Promise<void> {
  const { log } = options.console
  const delayMs = options.withApi ? options.config.shutdownDelaySeconds * 1000 : 0
  const started: Started = { isReady: false, stopping: new AbortController() }
  // Listening from the beginning: a signal during the start must not leave the embedded database behind.
  const begun = start(options, started)
  const forget = onStop({
    log,
    limitMs: delayMs + STOP_MS,
    async stop() {
      started.stopping.abort()
      await begun.catch(() => {})
      const wasReady = started.isReady
      started.isReady = false
      if (wasReady) await sleep(delayMs)
      await stop(started, log)
    },
  })
  try {
    await begun
  } catch (error) {
    if (started.stopping.signal.aborted) return
    forget()
    await stop(started, log).catch(() => {})
    throw error
  }
}

async function stop({ service, probes, postgres }: Started, log: Logger): Promise<void> {
  const over = new AbortController()
  const late = sleep(WORK_MS, undefined, { signal: over.signal }).then(
    () => log.warn('what still runs is left; it comes again'),
    () => {},
  )
  try {
    await Promise.race([service?.close(), late])
  } finally {
    over.abort()
    await probes?.close()
    await postgres?.stop()
  }
}

async function start({ config: given, console, withJobs, withApi }: ServeOptions, started: Started): Promise<void> {
  const { log } = console
  const config = await withPort(given)
  // Beside the database's start, which another core does.
  const preparing = prepare(config)
  preparing.catch(() => {})
  const postgres = await openPostgres(config, log, started.stopping.signal)
  started.postgres = postgres
  goOn(started)
  await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
  goOn(started)
  const { secrets, hooks, compose, createProbes, makeAdministrator, loadDemo } = await preparing
  const isReady = () => started.isReady
  const service = await compose({ config, secrets, urls: postgres.urls, hooks, log, isReady })
  started.service = service
  goOn(started)
  const administrator = await makeAdministrator(service, config, { isNew: postgres.isNew, log })
  if (withApi) {
    await service.app.listen({ host: config.host, port: config.port })
    await service.sandbox?.payments.start()
  }
  if (!withApi && config.workPort !== null) {
    const { database, metrics } = service
    started.probes = createProbes({ config, database, metrics, log, isReady })
    await started.probes.listen({ host: config.host, port: config.workPort })
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
  const [{ compose }, { createProbes }, { makeAdministrator }, { loadDemo }, secrets, hooks] = await Promise.all([
    import('./compose.ts'),
    import('../server/probes.ts'),
    import('./administrator.ts'),
    import('./demo.ts'),
    loadSecrets(config),
    loadHooks(config.hooks),
  ])
  return { secrets, hooks, compose, createProbes, makeAdministrator, loadDemo }
}

/** What comes after would only be undone again. */
function goOn({ stopping }: Started): void {
  if (stopping.signal.aborted) throw new Error('stopped during the start')
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
