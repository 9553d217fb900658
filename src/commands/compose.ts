// Config → ports → database → worker → server: the only place that chooses implementations.
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Ports } from '#kernel/data/context.ts'
import type { Waits } from '#kernel/database/answer-timeouts.ts'
import { type Database, openDatabase } from '#kernel/database/database.ts'
import type { Hooks } from '#kernel/data/events.ts'
import { readAsSystem } from '#kernel/jobs/claim.ts'
import { createPreviewer } from '#kernel/jobs/preview-change.ts'
import { createWorker, type Worker } from '#kernel/jobs/worker.ts'
import { poolState } from '#kernel/database/pool-state.ts'
import { createRefusals, type Refusals } from '#kernel/access/refusals.ts'
import { createLastUses, type LastUses } from '#kernel/access/last-uses.ts'
import { createLongPolls } from '#http/features/long-polls.ts'
import { createTenantQueue } from '#kernel/database/tenant-queue.ts'
import { createPostgresStore } from '#kernel/data/postgres-store.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'
import { createTransactions, type Origin, SYSTEM_CALLER, type Transactions } from '#kernel/access/transactions.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import { visibleTo } from '#modules/messages/events/catalogue.ts'
import { deviceOf } from '#modules/identity/auth/sessions/known-devices.ts'
import { createDeliverer, type Deliverer } from '#modules/messages/webhook-endpoints/deliverer.ts'
import { webhookFigures } from '#modules/messages/webhook-endpoints/webhook-figures.ts'
import { webhookMetrics } from '#modules/messages/webhook-endpoints/webhook-metrics.ts'
import { createPdf } from '../adapters/pdf/pdf.ts'
import { createCitusStore } from '../postgres/citus/store.ts'
import { AREAS, assumptions, catalogue, consumersWith, jobs, reasons } from '../modules.ts'
import { brandNow } from '#ports/brand.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Config } from '#config/config.ts'
import { createApp } from '#http/server/app.ts'
import { hookConsumers, hookJob } from '#http/server/hooks.ts'
import { createMetrics, type Metrics } from '#http/metrics/metrics.ts'
import { recentRows } from '#http/metrics/recent-rows.ts'
import { pages } from '#http/pages/pages.ts'
import { DEMO_SIGN_INS, demoPeople } from '../demo/sign-ins.ts'
import type { ServerLogins } from './databases.ts'
import { replicaOf } from './replica.ts'
import { measuredPorts, portsOf } from './ports.ts'
import type { Sandbox } from './sandbox.ts'
import type { Secrets } from './secrets.ts'
import { limitsPoolOf, rateLimitsOf } from './shared-counters.ts'

export type Service = {
  app: FastifyInstance
  worker: Worker
  deliverer: Deliverer
  refusals: Refusals
  lastUses: LastUses
  transactions: Transactions
  database: Database
  store: () => TenantStore
  ports: Ports
  metrics: Metrics
  /** Of changes by a command: the system, now. */
  origin(): Origin
  /** Null outside the sandbox. */
  sandbox: Sandbox | null
  close(): Promise<void>
}

export type Composition = {
  config: Config
  secrets: Secrets
  /** Asked for with each new connection; nothing connects before the service works. */
  logins: () => ServerLogins
  hooks: Hooks
  log: Logger
  clock?: () => Date
  isReady?: () => boolean
  /** How long requests wait for the database, instead of `WAITS`: for tests. */
  waits?: Waits
  /** After this time without an answer of the shared counters, this process counts alone. */
  limitsTimeoutMs?: number
  /** Replaces ports, for tests. */
  ports?: Partial<Ports>
  /** Instead of the one that the build makes, for tests. */
  consoleDirectory?: string | undefined
}

const BUILT_CONSOLE = fileURLToPath(new URL('../../apps/console/dist', import.meta.url))

export async function compose(composition: Composition): Promise<Service> {
  const { config, secrets, logins, hooks, log, clock = () => new Date(), isReady = () => true } = composition
  const [postgres, citus] = [createPostgresStore(), createCitusStore(config.database.nodeReads ? log : null)]
  const store = () => (logins().isDistributed ? citus : postgres)
  const database = openDatabase({
    logins,
    transport: () => store().openTransport,
    readConnections: config.database.readConnections,
    changeConnections: config.database.changeConnections,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    waits: composition.waits,
  })
  const replica = replicaOf(composition, database)
  const limitsPool = limitsPoolOf(composition)
  const sandbox = config.sandbox ? (await import('./sandbox.ts')).sandboxOf(composition) : null
  const pdf = createPdf()
  const pools = () => [...database.pools(), poolState('limits', limitsPool)]
  const tenantQueue = createTenantQueue()
  const transactions = createTransactions(database, tenantQueue, () => worker.wake(), replica)
  const demoJobs = config.sandbox ? (await import('../demo/history/jobs.ts')).historyJobs(log) : []
  const allJobs = [...jobs, hookJob(hooks), ...demoJobs]
  const longPolls = createLongPolls(database)
  const metrics = createMetrics({
    transactions,
    jobKinds: allJobs.map(({ kind }) => kind.name),
    pools,
    replica: () => replica?.state() ?? null,
    nodeReads: citus.nodeReads,
    waiting: () => longPolls.waiting(),
    figures: (registry) =>
      webhookMetrics(
        registry,
        recentRows(() => transactions.read(null, webhookFigures(clock()))),
      ),
    clock,
  })
  const chosen = { ...(await portsOf(composition, sandbox)), documents: pdf, ...composition.ports }
  const ports = measuredPorts(chosen, metrics.observeCall)
  const consumers = consumersWith(ports, hookConsumers(hooks))
  const refusals = createRefusals({
    database,
    clock,
    onError: (error) => log.warn({ err: error }, 'a refusal could not be written to the audit log'),
  })
  const lastUses = createLastUses({
    database,
    onError: (error) => log.warn({ err: error }, 'when sessions and keys were last used could not be written'),
  })
  const worker: Worker = createWorker({
    database,
    store,
    transactions,
    jobs: allJobs,
    consumers,
    ports,
    clock,
    concurrency: config.jobsConcurrency,
    leaseSeconds: config.jobsLeaseSeconds,
    pollMs: 1000,
    log,
  })
  const deliverer = createDeliverer({
    read: (statement, before) => readAsSystem(database, statement, before),
    sender: ports.webhookSender,
    secretKey: ports.secretKey,
    concurrency: config.webhooks.concurrency,
    catalogue,
    hiddenScopes: hiddenScopesIn(ports.settings),
    clock,
    log,
  })
  const rateLimits = rateLimitsOf(composition, limitsPool)
  const brandOf = (company: Company) => brandNow({ database, ports }, company)
  const app = await createApp({
    config,
    engine: {
      database,
      store,
      replica,
      consumers,
      ports,
      clock,
      onEnqueued: () => worker.wake(),
      tenantQueue,
      refusals,
      lastUses,
      longPolls,
      get keptTotals() {
        return store().totals
      },
      previewer: createPreviewer({
        jobs: allJobs,
        assumptions,
        visibleTo: visibleTo(catalogue),
        elsewhere: (statement) => transactions.read(null, statement),
      }),
    },
    areas: AREAS,
    reasons,
    log,
    rateLimits,
    metrics,
    deviceOf: deviceOf(
      (statement) => transactions.read(null, statement),
      { secretKey: secrets.secretKey, publicUrl: config.publicUrl },
      clock,
    ),
    isReady,
    demo: DEMO_SIGN_INS,
    pages: (server) => {
      const { jwks, licenseKeys } = secrets
      const people = config.demo ? demoPeople({ hasStaff: config.isLocal }) : []
      const directory = composition.consoleDirectory ?? BUILT_CONSOLE
      const shown = { directory, demo: { ...DEMO_SIGN_INS, people } }
      return pages(server, { config, jwks, licenseJwks: licenseKeys.jwks, reasons, brandOf, sandbox, console: shown })
    },
  })
  return {
    app,
    worker,
    deliverer,
    refusals,
    lastUses,
    transactions,
    database,
    store,
    ports,
    metrics,
    origin: () => ({
      caller: SYSTEM_CALLER,
      now: new Date(),
      requestId: 'command',
      ip: null,
      consumers: consumersWith(ports),
      settings: ports.settings,
      store: store(),
    }),
    sandbox,
    async close() {
      // At once, so that requests and jobs that have begun get the same time to finish.
      await Promise.all([app.close(), worker.stop(), deliverer.stop()])
      await ports.webhookSender.close()
      await ports.singleSignOn.close()
      await refusals.close()
      await lastUses.close()
      for (const system of sandbox?.systems ?? []) await system.stop?.()
      await pdf.close()
      await rateLimits.close()
      await limitsPool.end()
      await replica?.close()
      await database.close()
    },
  }
}
