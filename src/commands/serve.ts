// `serve`: the API, the pages and, unless told otherwise, the jobs, until SIGTERM.
import closeWithGrace from 'close-with-grace'
import { sql } from '#kernel/sql.ts'
import type { Config } from '../config.ts'
import { migrate } from '../postgres/migrate.ts'
import { loadHooks } from '../server/hooks.ts'
import type { Service } from './compose.ts'
import type { Console } from './console.ts'
import { checkLogins, MIGRATIONS, openPostgres, type Postgres } from './databases.ts'
import { portProblem, withFreePort } from './listening.ts'
import { preflight } from './preflight.ts'
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
  const config = withApi ? await withFreePort(given) : given
  await preflight(config)
  // Somebody's database is there or not, and nothing is made before it is; the embedded one starts on another core meanwhile.
  const theirs = config.database.url === null ? null : await openPostgres(config, log)
  const preparing = prepare(config)
  const making = theirs ? null : loadSecrets(config)
  for (const begun of [preparing, making]) begun?.catch(() => {})
  const postgres = theirs ?? (await openPostgres(config, log))
  started.postgres = postgres
  goOn(started)
  await checkLogins(config.database, 'before')
  await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
  await checkLogins(config.database, 'after')
  goOn(started)
  const { hooks, compose, makeAdministrator, loadDemo } = await preparing
  const secrets = await (making ?? loadSecrets(config))
  const isReady = () => started.isReady
  const service = await compose({ config, secrets, urls: postgres.urls, hooks, log, isReady })
  started.service = service
  goOn(started)
  const administrator = await makeAdministrator(service, config, { isNew: postgres.isNew, log })
  if (withApi) {
    await service.app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw portProblem(config, error)
    })
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

/** What needs no database: hooks, and the reading of all the code. */
async function prepare(config: Config) {
  const [{ compose }, { makeAdministrator }, { loadDemo }, hooks] = await Promise.all([
    import('./compose.ts'),
    import('./administrator.ts'),
    import('./demo.ts'),
    loadHooks(config.hooks),
  ])
  return { hooks, compose, makeAdministrator, loadDemo }
}

/** What comes after would only be undone again. */
function goOn({ isStopping }: Started): void {
  if (isStopping) throw new Error('stopped during the start')
}
