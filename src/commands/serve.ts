// The commands `serve` (API, pages, jobs) and `work` (jobs only), until SIGTERM.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sql } from '#kernel/values/sql.ts'
import type { Config } from '#config/config.ts'
import { migrate } from '../postgres/migrate.ts'
import { DRAIN_MS } from '#http/server/drain.ts'
import { loadHooks } from '#http/server/hooks.ts'
import type { Probes } from '#http/server/probes.ts'
import type { Composition, Service } from './compose.ts'
import type { Console } from './console.ts'
import { checkLogins, MIGRATIONS, openPostgres, type Postgres } from './databases.ts'
import { addressOf, freePort, portProblem, withFreePort, workAddressOf } from './listening.ts'
import { onStop, STOP_MS } from './on-stop.ts'
import { preflight } from './preflight.ts'
import { loadSecrets } from './secrets.ts'

export type ServeOptions = { config: Config; console: Console; withJobs: boolean; withApi: boolean }

/** For requests and jobs; jobs that take longer run again after the next start. */
const WORK_MS = DRAIN_MS + 1000

type RunningParts = {
  postgres?: Postgres
  service?: Service
  probes?: Probes
  isReady: boolean
  stopping: AbortController
}

export async function serve(options: ServeOptions): Promise<void> {
  const { log } = options.console
  const delayMs = options.withApi ? options.config.shutdownDelaySeconds * 1000 : 0
  const started: RunningParts = { isReady: false, stopping: new AbortController() }
  // The listeners come first: a signal during the start must stop the embedded database too.
  const begun = start(options, started)
  const removeListeners = onStop({
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
    removeListeners()
    await stop(started, log).catch(() => {})
    throw error
  }
}

/**
 * Does not wait for a service that is still being composed: it has nothing to finish, and PostgreSQL must stop in time.
 */
async function stop({ service, probes, postgres }: RunningParts, log: Logger): Promise<void> {
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

async function start(
  { config: given, console, withJobs, withApi }: ServeOptions,
  started: RunningParts,
): Promise<void> {
  const { log } = console
  const config = withApi ? await withFreePort(given) : given
  const workAddress = withApi ? null : workAddressOf(given)
  if (workAddress) await freePort(workAddress)
  await preflight(config)
  const isReady = () => started.isReady
  let composing: ReturnType<typeof composeService> | undefined
  const composed = () => (composing ??= composeService({ config, log, isReady, logins }))
  const logins = () => {
    if (started.postgres) return started.postgres.logins
    throw new Error('PostgreSQL is not there yet')
  }
  // No keys are generated beside a database elsewhere whose logins are refused; the embedded one starts on another core
  // meanwhile.
  const onSpawned = () => void composed().catch(() => {})
  const postgres = await openPostgres(config, log, { signal: started.stopping.signal, onSpawned })
  started.postgres = postgres
  assertNotStopping(started)
  await checkLogins(config.database, 'before')
  await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
  await checkLogins(config.database, 'after')
  assertNotStopping(started)
  const { service, createProbes, createFirstAdministrator, loadDemoAlone } = await composed()
  started.service = service
  assertNotStopping(started)
  // `work` prints no sign-ins, so that a one-time password would be lost.
  const administrator = withApi || config.admin ? await createFirstAdministrator(service, config, log) : null
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
  assertNotStopping(started)
  // Before the worker, so that the demo's mails, documents and tax invoices do not compete with the start.
  const demo = config.demo ? await loadDemoAlone(postgres.ownerUrl, service, config) : null
  assertNotStopping(started)
  if (withJobs) {
    await service.worker.start()
    service.deliverer.start()
  }
  await service.database.read('titular_system', [sql`select 1`])
  started.isReady = true
  if (withApi) console.welcome({ config, administrator, demo })
}

/** Reads the code that only a start needs which gets so far, the hooks and the keys. */
async function composeService(composition: Pick<Composition, 'config' | 'log' | 'isReady' | 'logins'>) {
  const { config } = composition
  const [{ compose }, { createProbes }, { createFirstAdministrator }, { loadDemoAlone }, hooks, secrets] =
    await Promise.all([
      import('./compose.ts'),
      import('#http/server/probes.ts'),
      import('./administrator.ts'),
      import('./load-demo.ts'),
      loadHooks(config.hooks),
      loadSecrets(config),
    ])
  const service = await compose({ ...composition, hooks, secrets })
  return { service, createProbes, createFirstAdministrator, loadDemoAlone }
}

/** Ends a start that a signal has stopped. */
function assertNotStopping({ stopping }: RunningParts): void {
  if (stopping.signal.aborted) throw new Error('stopped during the start')
}
