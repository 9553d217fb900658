// `backfill-crm`: sends all organizations and their sent quotes to the CRM, a few at a time and within its rate limit
// (docs/crm.md). It works on the jobs like `work`, beside processes that run already.
import { setTimeout as sleep } from 'node:timers/promises'
import { backfill, sendUnsent } from '#modules/integrations/crm/backfill.ts'
import type { At } from '#modules/integrations/crm/queries.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { COMPANIES } from '#kernel/values/schema.ts'
import type { Config } from '#config/config.ts'
import { findEmbedded } from '../postgres/embedded.ts'
import { sharedLogin } from '../postgres/roles.ts'
import { migrate } from '../postgres/migrate.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { compose, type Service } from './compose.ts'
import type { Console } from './console.ts'
import { onStop, STOP_MS } from './on-stop.ts'
import { MIGRATIONS, openPostgres, type Postgres } from './databases.ts'
import { loadSecrets } from './secrets.ts'

export type BackfillOptions = { config: Config; console: Console; all: boolean }

const BATCH = 100
/**
 * More jobs are enqueued when no more than these are left, so that those of customers need not wait behind thousands.
 */
const LEFT = 50
const POLL_MS = 500

export async function backfillCrm({ config, console, all }: BackfillOptions): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = backfillWith(config, console, { all, signal, report: console.progress })
  const removeListeners = onStop({
    log: console.log,
    limitMs: STOP_MS,
    async stop() {
      stopping.abort()
      await running.catch(() => {})
    },
  })
  await running
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
      console.progress('Ended early; another run goes on from here', true)
    })
    .finally(removeListeners)
}

async function backfillWith(config: Config, console: Console, how: Running): Promise<void> {
  const { log } = console
  const postgres = await databaseOf(config, console)
  try {
    await migrate({ ownerUrl: postgres.ownerUrl, directory: MIGRATIONS, log })
    const service = await compose({
      config,
      secrets: await loadSecrets(config),
      logins: () => postgres.logins,
      hooks: {},
      log,
    })
    try {
      await runBackfill(service, how)
    } finally {
      await service.close()
    }
  } finally {
    await postgres.stop()
  }
}

/** The embedded database of a running service, or one that is started for the command. */
async function databaseOf(config: Config, { log }: Console): Promise<Postgres> {
  const running = config.database.url === null ? await findEmbedded(config.dataDir) : undefined
  if (!running) return openPostgres(config, log)
  return { ownerUrl: running, logins: sharedLogin(running), stop: async () => {} }
}

type Report = (line: string, isLast?: boolean) => void

/** `signal` ends it between two batches; what is enqueued by then is done by this or another process. */
export type Running = { all: boolean; report: Report; signal: AbortSignal }

export async function runBackfill(service: Service, how: Running): Promise<void> {
  const { report } = how
  const crms = COMPANIES.flatMap((company) => {
    const port = service.ports.crm[company]
    return port ? [{ port, at: { company, provider: port.provider } }] : []
  })
  if (crms.length === 0)
    throw new StartupError('no legal entity has a CRM; ENTITY_BR_CRM or ENTITY_GLOBAL_CRM sets one')
  for (const { port, at } of crms)
    await port.prepare().catch((cause: unknown) => {
      throw new StartupError(`the CRM of ${at.company}: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  const { dead: before } = await first(service, backfill.jobs)
  await service.worker.start()
  for (const { at } of crms) await sendAll(service, at, how)
  await settle(service, 0, how)
  const { dead } = await first(service, backfill.jobs)
  const failed = dead - before
  report(failed > 0 ? `Done, but for ${failed} jobs: GET /admin/jobs has the reasons` : 'Done', true)
}

async function sendAll(service: Service, at: At, how: Running): Promise<void> {
  const { all, report } = how
  const { n: total } = await first(service, backfill.total)
  const origin = service.origin()
  let seen = 0
  let jobs = 0
  for (let after = 0; ;) {
    const batch = await service.transactions.read(null, backfill.batch(at, { after, all, limit: BATCH }))
    const last = batch.at(-1)
    if (!last) return
    for (const unsent of batch)
      jobs += await service.transactions.asSystem('the backfill of the CRM', origin, (ctx) =>
        sendUnsent(ctx, at, { ...unsent, all }),
      )
    service.worker.wake()
    seen += batch.length
    after = last.organization_id
    report(`${at.company}: ${seen} of ${total} organizations, ${jobs} records to send so far`)
    await settle(service, LEFT, how)
  }
}

/** Waits until at most so many jobs are left; each one ends, as done or as a dead letter. */
async function settle(service: Service, left: number, { report, signal }: Running): Promise<void> {
  for (let told = -1; ;) {
    signal.throwIfAborted()
    const { open, last_error } = await first(service, backfill.jobs)
    if (open <= left) return
    if (open !== told)
      report(`${open} records to send${last_error === null ? '' : `; the last failure: ${last_error}`}`)
    told = open
    await sleep(POLL_MS)
  }
}

async function first<Row>(service: Service, statement: Statement<Row>): Promise<Row> {
  const [row] = await service.transactions.read(null, statement)
  if (row === undefined) throw new Error('a statement that must give a row gave none')
  return row
}
