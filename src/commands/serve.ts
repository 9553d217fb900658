// `serve`: the API, the pages and, unless told otherwise, the jobs, until SIGTERM.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sql } from '#kernel/data/sql.ts'
import type { Config } from '#config/config.ts'
import { migrate } from '../postgres/migrate.ts'
import { DRAIN_MS } from '../server/drain.ts'
import { loadHooks } from '../server/hooks.ts'
import type { Probes } from '../server/probes.ts'
import type { Service } from './compose.ts'
import type { Console } from './console.ts'
import { checkLogins, MIGRATIONS, openPostgres, type Postgres } from './databases.ts'
import { addressOf, freePort, portProblem, withFreePort, workAddressOf } from './listening.ts'
import { onStop } from './on-stop.ts'
import { preflight } from './preflight.ts'
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
      if (wasReady && delayMs > 0) await sleep(delayMs)
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
  const config = withApi ? await withFreePort(given) : given
  const workAddress = withApi ? null : workAddressOf(given)
  if (workAddress) await freePort(workAddress)
  await preflight(config)
  // Somebody's database is there or not, and nothing is made before it is; the embedded one starts on another core meanwhile.
  const { signal } = started.stopping
  const theirs = config.database.url === null ? null : await openPostgres(config, log, signal)
  const preparing = prepare(config)
  const making = theirs ? null : loadSecrets(config)
  for (const begun of [preparing, making]) begun?.catch(() => {})
  const postgres = theirs ?? (await openPostgres(config, log, signal))
  started.postgres = postgres
  goOn(started)
  await checkLogins(config.database, 'before')
  await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
  await checkLogins(config.database, 'after')
  goOn(started)
  const { hooks, compose, createProbes, makeAdministrator, loadDemo } = await preparing
  const secrets = await (making ?? loadSecrets(config))
  const isReady = () => started.isReady
  const service = await compose({ config, secrets, urls: postgres.urls, hooks, log, isReady })
  started.service = service
  goOn(started)
  // A one-time password that nobody is shown is of no use.
  const administrator = withApi || config.admin ? await makeAdministrator(service, config, log) : null
  if (withApi) {
    await service.app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw portProblem(addressOf(config), error)
    })
    await service.sandbox?.payments.start()
  }
  if (workAddress) {
    const { host, port } = workAddress
    const { database, metrics } = service
    started.probes = createProbes({ config, database, metrics, log, isReady })
    await started.probes.listen({ host, port }).catch((error: unknown) => {
      throw portProblem(workAddress, error)
    })
  }
  goOn(started)
  if (withJobs) await service.worker.start()
  const demo = config.demo ? await loadDemo(service, config) : null
  await service.database.read('titular_system', [sql`select 1`])
  started.isReady = true
  if (withApi) console.welcome({ config, administrator, demo })
}

/** What needs no database: hooks, and the reading of all the code. */
async function prepare(config: Config) {
  const [{ compose }, { createProbes }, { makeAdministrator }, { loadDemo }, hooks] = await Promise.all([
    import('./compose.ts'),
    import('../server/probes.ts'),
    import('./administrator.ts'),
    import('./demo.ts'),
    loadHooks(config.hooks),
  ])
  return { hooks, compose, createProbes, makeAdministrator, loadDemo }
}

/** What comes after would only be undone again. */
function goOn({ stopping }: Started): void {
  if (stopping.signal.aborted) throw new Error('stopped during the start')
}
