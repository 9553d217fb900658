// The service for tests: the real one on a cloned database, with a clock that the test moves.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { generateKeyPairSync } from 'node:crypto'
import pino from 'pino'
import { afterAll, inject } from 'vitest'
import { createPdf } from '../../src/adapters/pdf/pdf.ts'
import { compose, type Service } from '../../src/commands/compose.ts'
import { loadSecrets, type Secrets } from '../../src/commands/secrets.ts'
import { readConfig } from '#config/config.ts'
import type { Ports } from '#kernel/data/context.ts'
import type { Hooks } from '#kernel/data/events.ts'
import { routes } from '../../src/modules.ts'
import { LOG_OPTIONS } from '#http/server/log-options.ts'
import { holdToContract } from './contract.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { keyOf, type MadeApp, takeApp } from './kept-apps.ts'
import { NO_SYSTEMS } from './other-systems.ts'
import { checkEvents } from './published-events.ts'
import { holdToShard } from './shards.ts'
import { LONG_MS, LONG_WAITS, waitingLong } from './long-waits.ts'
import { holdToOrganization } from './statements.ts'
import { tablesOf } from '#test/sweeps/tables.ts'
import { staffAccessCheck } from './staff-access.ts'
import { watchActs } from './composed-acts.ts'
import { createWorld, type World } from './world.ts'
import { onCluster } from '../../src/postgres/citus/logins.ts'
import { sharedLogin } from '../../src/postgres/roles.ts'

export type TestApp = {
  service: Service
  secrets: Secrets
  database: TestDatabase
  world: World
  clock: { now: Date; advance: (seconds: number) => void }
  dataDir: string
  /** The URL when it listens. */
  url: string
  log: string[]
  close: () => Promise<void>
}

export type TestAppOptions = {
  environment?: Record<string, string>
  hooks?: Hooks
  /** Listens on a loopback port; needed where the payment sandbox sends webhooks. */
  listens?: boolean
  /** Documents are not drawn, for long lives that would draw hundreds. */
  drawsNothing?: boolean
  /** Replaces the implementations that the configuration would choose. */
  ports?: Partial<Ports>
  /** The URL of the database, for tests that interrupt the connection (test/harness/link.ts). */
  databaseUrl?: (url: string) => string | Promise<string>
  /** A build of the console. */
  consoleDirectory?: string
  /** Waits for the database as long as the service does, for tests of these limits. */
  hasServedWaits?: boolean
  /** Another process of the same installation: its database, files and clock. To be closed before that one. */
  beside?: Pick<TestApp, 'database' | 'dataDir' | 'clock'>
}

const MANY = '1000000/60'
export const NO_LIMITS = { LIMIT_CREDENTIALS: MANY, LIMIT_PUBLIC: MANY, LIMIT_REPORTS: MANY, LIMIT_REQUESTS: MANY }

// One key for all tests of a process, since generating one takes most of a second.
let pem: string | undefined
const signingKey = (): string =>
  (pem ??= generateKeyPairSync('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey)

/** One that an earlier file of this worker has closed, emptied, where the options are the same (kept-apps.ts). */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const kept = keyOf(options)
  if (kept === null || inject('postgres').isDistributed) return (await makeApp(options)).app
  return takeApp(kept, () => makeApp(options))
}

/** The app of a test file, for its top level: closed after the last test. */
export async function appOfFile(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startApp(options)
  afterAll(() => app.close())
  return app
}

function movableClock(): TestApp['clock'] & { latest: number } {
  let now = new Date()
  const clock = {
    latest: now.getTime(),
    get now() {
      return now
    },
    set now(moment: Date) {
      now = moment
      clock.latest = Math.max(clock.latest, moment.getTime())
    },
    advance: (seconds: number) => void (clock.now = new Date(now.getTime() + seconds * 1000)),
  }
  return clock
}

async function makeApp(options: TestAppOptions): Promise<MadeApp> {
  const { beside } = options
  const database = beside?.database ?? (await cloneDatabase())
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(inject('home'), 'app-')))
  const clock = beside?.clock ?? movableClock()
  const log: string[] = []
  const config = readConfig({
    SANDBOX: '1',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: options.listens ? String(await freePort()) : '',
    JWT_PRIVATE_KEY: signingKey(),
    SECRET_KEY: 'of the tests, and of the tests only, 48 characters',
    DATABASE_READ_CONNECTIONS: '2',
    ...NO_LIMITS,
    // Port 9 of this machine: tests that look for proofs have name servers of their own.
    NAME_SERVERS: '127.0.0.1:9',
    ...NO_SYSTEMS,
    // The sandbox's tax authority is in this service: when it does not listen, jobs for it would only be retried.
    ...(!options.listens && !options.ports?.taxAuthority && { ENTITY_BR_TAX_AUTHORITY: 'none' }),
    ...options.environment,
  })
  const secrets = await loadSecrets(config)
  const url = (await options.databaseUrl?.(database.url)) ?? database.url
  const logins = inject('postgres').isDistributed ? onCluster(sharedLogin(url)) : sharedLogin(url)
  // Long limits for rendering documents, since the machine may be busy; the real ones have tests of their own.
  const pdf = createPdf({ timeLimitMs: 120_000, waitLimitMs: 120_000, startLimitMs: 120_000 })
  const documents = options.drawsNothing ? { render: () => Promise.resolve(Buffer.from('%PDF-1.7')) } : pdf
  const service = await compose({
    config,
    secrets,
    logins: () => (options.hasServedWaits ? logins : waitingLong(logins)),
    ...(!options.hasServedWaits && { waits: LONG_WAITS }),
    hooks: options.hooks ?? {},
    consoleDirectory: options.consoleDirectory,
    log: pino({ ...LOG_OPTIONS, level: 'debug' }, { write: (line: string) => void log.push(line) }),
    clock: () => clock.now,
    // So that a busy machine still counts in the store.
    limitsTimeoutMs: LONG_MS,
    ports: { documents, ...options.ports },
  })
  const { taxAuthority } = options.ports ?? {}
  if (taxAuthority && 'profiles' in taxAuthority)
    Object.assign(service.ports.settings.firstSettings.entity_br, { fiscal_profiles: taxAuthority.profiles })
  let isOpen = true
  service.app.addHook('onClose', async () => void (isOpen = false))
  const acts = watchActs(service.app)
  const contract = holdToContract(service.app, routes, staffAccessCheck(database))
  const { tenantTables } = await tablesOf(database)
  const statements = holdToOrganization(service.database, tenantTables)
  const shards = inject('postgres').isDistributed ? holdToShard(service.database, database.url) : null
  await service.app.ready()
  if (options.listens) {
    await service.app.listen({ host: config.host, port: config.port })
    await service.sandbox?.payments.start()
  }
  const checkTests = async () => {
    contract.throwIfBroken()
    statements.throwIfUnbound()
    await shards?.throwIfSeveral()
    await acts(database)
    if (!beside) await checkEvents(database)
  }
  const app: TestApp = {
    service,
    secrets,
    database,
    world: createWorld({ app: service.app, database, accessTokens: service.ports.accessTokens, clock }),
    clock,
    dataDir,
    url: config.publicUrl,
    log,
    close: async () => {
      await service.close()
      await pdf.close()
      const wrong = await checkTests().catch((error: unknown) => error)
      if (!beside) await database.drop()
      if (!beside) await rm(dataDir, { recursive: true, force: true })
      if (wrong) throw wrong
    },
  }
  // What the service remembers with a time to come would wait for it, such as when it asked something last.
  const wasInTheFuture = () => 'latest' in clock && Number(clock.latest) > Date.now() + 30_000
  return { app, checkTests, isFresh: () => isOpen && !wasInTheFuture() }
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
