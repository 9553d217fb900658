// Config → ports → database → worker → server: the only place that chooses implementations.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Pool } from 'pg'
import type { Logger } from 'pino'
import { createAccessTokens } from '#kernel/access-tokens.ts'
import type { Ports } from '#kernel/context.ts'
import { type Database, openDatabase } from '#kernel/database.ts'
import type { Consumer, Hooks } from '#kernel/events.ts'
import { measured, type ObserveCall } from '#kernel/measured.ts'
import { createWorker, type Worker } from '#kernel/worker.ts'
import { poolState } from '#kernel/pool-state.ts'
import { createRateLimits } from '#kernel/rate-limits.ts'
import { createRefusals } from '#kernel/refusals.ts'
import { loadSigningKeys } from '#kernel/signing-keys.ts'
import { createTurns } from '#kernel/turns.ts'
import { createWork, type Work } from '#kernel/work.ts'
import { deviceOf } from '#areas/auth/known-devices.ts'
import { createPasswordHasher, hashingConcurrency } from '#areas/auth/passwords.ts'
import '#ports/ports.ts'
import type { Files } from '#ports/files.ts'
import { createBrasilapi } from '../adapters/brasilapi/brasilapi.ts'
import { httpProvisioning } from '../adapters/http-provisioning/http-provisioning.ts'
import { noProvisioning } from '../adapters/no-provisioning/no-provisioning.ts'
import { createLocalFiles } from '../adapters/local-files/local-files.ts'
import { createOfflineRegistry } from '../adapters/offline-registry/offline-registry.ts'
import { createS3Files } from '../adapters/s3-files/s3-files.ts'
import { createSandboxMail, type SandboxMail } from '../adapters/sandbox/mail.ts'
import type { SandboxPaymentProvider } from '../adapters/sandbox/payments/provider.ts'
import { sandboxTaxAuthority, type SandboxTaxAuthority } from '../adapters/sandbox/tax/authority.ts'
import { createPdf } from '../adapters/pdf/pdf.ts'
import { createSmtp } from '../adapters/smtp/smtp.ts'
import { consumersWith, jobs, routes } from '../areas.ts'
import type { Config } from '../config.ts'
import { sessionOptions } from '../postgres/roles.ts'
import { createApp } from '../server/app.ts'
import { hookConsumers, hookJob } from '../server/hooks.ts'
import { createMetrics, type Metrics } from '../server/metrics.ts'
import { pages } from '../server/pages.ts'
import { DEMO_SIGN_INS } from './demo-sign-ins.ts'
import { paymentsOf, sandboxProviderOf } from './payments.ts'
import type { Secrets } from './secrets.ts'
import { taxAuthorityOf } from './tax-authority.ts'

export type Service = {
  app: FastifyInstance
  worker: Worker
  work: Work
  database: Database
  ports: Ports
  metrics: Metrics
  /** Null outside the sandbox. */
  sandbox: { mail: SandboxMail | null; payments: SandboxPaymentProvider; tax: SandboxTaxAuthority } | null
  close(): Promise<void>
}

export type Urls = { app: string; system: string; isRoleLogin: boolean }

export type Composition = {
  config: Config
  secrets: Secrets
  urls: Urls
  hooks: Hooks
  log: Logger
  clock?: () => Date
  isReady?: () => boolean
  /** The sandbox's companies are called by their keys in this service's own address. */
  ports?: Partial<Ports>
}

export async function compose(composition: Composition): Promise<Service> {
  const { config, secrets, urls, hooks, log, clock = () => new Date(), isReady = () => true } = composition
  const database = openDatabase({
    urls: { titular_app: urls.app, titular_system: urls.system },
    sessionOptions: urls.isRoleLogin
      ? null
      : { titular_app: sessionOptions('titular_app'), titular_system: sessionOptions('titular_system') },
    readConnections: config.database.readConnections,
    changeConnections: config.database.changeConnections,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const limitsPool = limitsPoolOf(urls, log)
  const sandbox = config.sandbox ? sandboxOf(composition) : null
  const pdf = createPdf()
  const pools = () => [...database.pools(), poolState('limits', limitsPool)]
  const turns = createTurns()
  const work = createWork(database, turns, () => worker.wake())
  const metrics = createMetrics({ work, pools, clock })
  const chosen = { ...(await portsOf(composition, sandbox)), documents: pdf, ...composition.ports }
  const ports = measuredPorts(chosen, metrics.observeCall)
  const consumers = consumersWith(hookConsumers(hooks) satisfies Consumer[])
  const refusals = createRefusals({
    database,
    clock,
    onError: (error) => log.warn({ err: error }, 'a refusal could not be written to the audit log'),
  })
  const worker: Worker = createWorker({
    database,
    work,
    jobs: [...jobs, hookJob(hooks)],
    consumers,
    ports,
    clock,
    concurrency: config.jobsConcurrency,
    leaseSeconds: config.jobsLeaseSeconds,
    pollMs: 1000,
    log,
  })
  const app = await createApp({
    config,
    engine: { database, consumers, ports, clock, onEnqueued: () => worker.wake(), turns, refusals },
    routes,
    log,
    rateLimits: rateLimitsOf(config, secrets, limitsPool, log),
    metrics,
    deviceOf: deviceOf((statement) => work.read(null, statement), secrets.secretKey, clock),
    isReady,
    demo: DEMO_SIGN_INS,
    pages: (server) => pages(server, { config, jwks: secrets.jwks, licenseJwks: secrets.licenseKeys.jwks, sandbox }),
  })
  return {
    app,
    worker,
    work,
    database,
    ports,
    metrics,
    sandbox,
    async close() {
      // At once: both have what began before finished, in the same time.
      await Promise.all([app.close(), worker.stop()])
      await refusals.close()
      await sandbox?.payments.stop()
      await pdf.close()
      await limitsPool.end()
      await database.close()
    },
  }
}

function limitsPoolOf(urls: Urls, log: Logger): Pool {
  const pool = new Pool({
    connectionString: urls.system,
    max: 2,
    connectionTimeoutMillis: 2000,
    // A connection that gives no answer is not kept.
    query_timeout: 2000,
    application_name: 'titular_limits',
    ...(!urls.isRoleLogin && { options: sessionOptions('titular_system') }),
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  return pool
}

const rateLimitsOf = (config: Config, secrets: Secrets, pool: Pool, log: Logger) =>
  createRateLimits({
    pool,
    secretKey: secrets.secretKey,
    policies: [
      { name: 'credentials', ...config.limits.credentials, store: 'postgres' },
      { name: 'public', ...config.limits.public, store: 'memory' },
      { name: 'requests', ...config.limits.requests, store: 'memory' },
    ],
    onStoreFailure: (error) => log.warn({ err: error }, 'rate limits are counted in this process only'),
  })

function sandboxOf(composition: Composition): NonNullable<Service['sandbox']> {
  const { config, log, clock } = composition
  return {
    mail:
      config.mail.smtpUrl === null
        ? createSandboxMail({ dataDir: config.dataDir, from: config.mail.from, ...(clock && { now: clock }) })
        : null,
    payments: sandboxProviderOf(composition, (error, about) => log.warn({ err: error, about }, 'payment sandbox')),
    tax: sandboxTaxAuthority({
      dataDir: config.dataDir,
      providerName: config.entities.entity_br.name,
      ...(clock && { now: clock }),
      onError: (error, about) => log.warn({ err: error, about }, 'tax sandbox'),
    }),
  }
}

async function portsOf(
  { config, secrets, clock }: Composition,
  sandbox: Service['sandbox'],
): Promise<Omit<Ports, 'documents'>> {
  const keys = await loadSigningKeys({ pems: secrets.pems })
  return {
    mail: sandbox?.mail ?? createSmtp({ url: config.mail.smtpUrl ?? '', from: config.mail.from }),
    companyRegistry:
      config.registry.kind === 'brasilapi'
        ? createBrasilapi({ baseUrls: config.registry.urls, loopback: config.sandbox })
        : createOfflineRegistry(),
    files: filesOf(config),
    payments: paymentsOf({ config, secrets }),
    taxAuthority: await taxAuthorityOf({ config, clock }, sandbox?.tax ?? null),
    provisioning: config.provisioningSystem ? httpProvisioning(config.provisioningSystem) : noProvisioning(),
    passwords: createPasswordHasher({ concurrency: hashingConcurrency(availableParallelism()) }),
    accessTokens: createAccessTokens({ keys, issuer: config.issuer }),
    licenseKeys: secrets.licenseKeys,
    secretKey: secrets.secretKey,
    settings: settingsOf(config),
  }
}

/** Those that may call an outside system. */
function measuredPorts(ports: Ports, observe: ObserveCall): Ports {
  const of = <Port extends object>(target: string, port: Port | null) => port && measured(target, port, observe)
  return {
    ...ports,
    mail: measured('mail', ports.mail, observe),
    files: measured('files', ports.files, observe),
    companyRegistry: measured('company_registry', ports.companyRegistry, observe, isUnavailable),
    payments: {
      entity_br: of('payments_entity_br', ports.payments.entity_br),
      entity_global: of('payments_entity_global', ports.payments.entity_global),
    },
    taxAuthority: of('tax_authority', ports.taxAuthority),
    provisioning: measured('provisioning', ports.provisioning, observe),
  }
}

/** The registry never throws. */
const isUnavailable = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer && answer.outcome === 'unavailable'

const filesOf = ({ fileStore, dataDir }: Config): Files =>
  fileStore.kind === 's3' ? createS3Files(fileStore) : createLocalFiles({ directory: join(dataDir, 'files') })

function settingsOf(config: Config): Ports['settings'] {
  const { publicUrl, brand, issuer, refunds, provisioning, entities, expiryWarningDays, licenseFileDays } = config
  const { supportEmail, files, reconcileAfterMinutes, commissionDays } = config
  return {
    publicUrl,
    brand,
    issuer,
    refunds,
    reconcileAfterMinutes,
    provisioning,
    entities,
    commissionDays,
    expiryWarningDays,
    licenseFileDays,
    supportEmail,
    files,
  }
}
