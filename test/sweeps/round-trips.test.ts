// A read takes one round trip; a change takes its opening, its writes and its commit (docs/decisions/0002). They are
// counted on the connection between the service and PostgreSQL.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose, type Service } from '../../src/commands/compose.ts'
import { loadSecrets } from '../../src/commands/secrets.ts'
import { readConfig } from '#config/config.ts'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { createWorld, type Organization, type Speaker, type World } from '#test/harness/world.ts'

/** Records the messages that the service sends; the answers are only passed on. */
type Wiretap = { url: string; trips: () => number; reset: () => void; close: () => Promise<void> }

const HEADER_BYTES = 5
/** Sync and simple Query: after each of them the service waits for an answer. */
const WAITED_FOR = ['S', 'Q']

async function tap(databaseUrl: string): Promise<Wiretap> {
  const { port, hostname } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let trips = 0
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const types = messageTypes()
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((one) => one.destroy()))
    }
    client.on('data', (bytes: Buffer) => {
      trips += types(bytes).filter((type) => WAITED_FOR.includes(type)).length
      upstream.write(bytes)
    })
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    trips: () => trips,
    reset: () => void (trips = 0),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The types of the messages that these bytes complete. The first message of a connection has no type. */
function messageTypes(): (bytes: Buffer) => string[] {
  let waiting = Buffer.alloc(0)
  let hasStarted = false
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    const types: string[] = []
    for (;;) {
      const typeBytes = hasStarted ? 1 : 0
      if (waiting.length < HEADER_BYTES) return types
      const size = typeBytes + waiting.readUInt32BE(typeBytes)
      if (waiting.length < size) return types
      types.push(hasStarted ? String.fromCharCode(waiting[0] ?? 0) : '')
      hasStarted = true
      waiting = waiting.subarray(size)
    }
  }
}

let database: TestDatabase
let wiretap: Wiretap
let dataDir: string
let service: Service
let world: World
let acme: Organization
const ids = { entitlement: 0, license: 0, quotes: [] as number[] }
const CODE = 'PLG-2026110001'

beforeAll(async () => {
  database = await cloneDatabase()
  wiretap = await tap(database.url)
  dataDir = await mkdtemp(join(tmpdir(), 'titular-trips-'))
  const config = readConfig({
    SANDBOX: '1',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    DATABASE_READ_CONNECTIONS: '1',
  })
  service = await compose({
    config,
    secrets: await loadSecrets(config),
    urls: { app: wiretap.url, system: wiretap.url, isRoleLogin: false },
    hooks: {},
    log: pino({ level: 'silent' }),
  })
  await service.app.ready()
  const { accessTokens } = service.ports
  world = createWorld({ app: service.app, database, accessTokens, clock: { now: new Date() } })
  acme = await world.organization()
  await fill()
})

afterAll(async () => {
  await service.close()
  await wiretap.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function fill(): Promise<void> {
  const [entitlement] = await database.query<{ id: number }>(
    `insert into entitlements (organization_id, code, class, product_name, company)
     values ($1, $2, 'PLG', 'Backup', 'entity_br') returning id`,
    [acme.id, CODE],
  )
  ids.entitlement = entitlement?.id ?? 0
  const [license] = await database.query<{ id: number }>(
    `insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
     values ($1, '22222-33333-44444-55555-66666', 'Backup', $2, $3, 9) returning id`,
    [acme.id, ids.entitlement, CODE],
  )
  ids.license = license?.id ?? 0
  const lines = [{ product_name: 'Backup', quantity: 1, unit_price: '1.00', total: '1.00', entitlement_class: 'PLG' }]
  const quotes = await database.query<{ id: number }>(
    `insert into quotes (organization_id, status, company, currency, subtotal, tax_total, total, valid_until, line_items)
     select $1, 'sent', 'entity_br', 'BRL', 1.00, 0.00, 1.00, '2999-12-31', $2 from generate_series(1, 8) returning id`,
    [acme.id, JSON.stringify(lines)],
  )
  ids.quotes = quotes.map(({ id }) => id)
}

/** The round trips of the second of two such requests, since the first one prepares the statements. */
async function tripsOf(ask: () => Promise<{ status: number }>): Promise<number> {
  expect((await ask()).status).toBe(200)
  wiretap.reset()
  expect((await ask()).status).toBe(200)
  return wiretap.trips()
}

const nextQuote = (): number => ids.quotes.pop() ?? 0

describe('the count', () => {
  it('is right: a statement that is new on its connection is parsed in a group of its own', async () => {
    wiretap.reset()
    expect((await acme.owner.get('/entitlements?status=active')).status).toBe(200)
    expect(wiretap.trips()).toBe(2)
  })
})

describe('a read', () => {
  const asOwner: [string, () => string][] = [
    ['list', () => '/entitlements'],
    ['filtered list', () => '/entitlements?class=PLG&per_page=5&page=2'],
    ['list far from its start', () => '/entitlements?page=900'],
    ['list below a record', () => `/entitlements/${ids.entitlement}/licenses`],
    ['by id', () => `/entitlements/${ids.entitlement}`],
    ['by code', () => `/entitlements/code/${CODE}`],
  ]
  it.each(asOwner)('costs one round trip: %s', async (_what, path) => {
    expect(await tripsOf(() => acme.owner.get(path()))).toBe(1)
  })
  it('costs one round trip: the organizations of the caller, across organizations', async () => {
    expect(await tripsOf(() => acme.owner.get('/organizations'))).toBe(1)
  })
  it('costs one round trip as a member with a scope', async () => {
    const member: Speaker = await acme.member({ scopes: ['entitlements'] })
    expect(await tripsOf(() => member.get('/entitlements'))).toBe(1)
  })
  it('costs one round trip without credentials: whether a key is good for a domain', async () => {
    const question = { license_key: '22222-33333-44444-55555-66666', domain: 'a.example' }
    expect(await tripsOf(() => world.anonymous.post('/licenses/validate', question))).toBe(1)
  })
  it('costs two round trips when it is refused, and one for the entry in the audit log', async () => {
    const nonMember = world.inside(await world.user(), acme.id)
    const ask = async () => ({ status: (await nonMember.get('/entitlements')).status === 403 ? 200 : 0 })
    expect(await tripsOf(ask)).toBe(2 + 1)
  })
})

describe('a change', () => {
  it('costs its opening, one round trip for its one record, and the commit', async () => {
    expect(await tripsOf(() => acme.owner.post(`/quotes/${nextQuote()}/reject`))).toBe(1 + 1 + 1)
  })
  it('costs one round trip per statement: accept', async () => {
    const before = ['the access check', 'the quote', 'the codes of its lines']
    const questions = ['the quote, locked', 'the billing', 'the next order id', 'the next invoice number']
    const writes = ['order', 'quote', 'invoice', 'job']
    const trips = await tripsOf(() => acme.owner.post(`/quotes/${nextQuote()}/accept`))
    expect(trips).toBe(before.length + 1 + questions.length + writes.length + 1)
  })
  it('costs one round trip for the license with all that its rules need, and one for the slot: activate', async () => {
    const sites = ['a.example', 'b.example']
    const activate = () => acme.owner.post(`/licenses/${ids.license}/activate`, { domain: sites.pop() })
    expect(await tripsOf(activate)).toBe(1 + 1 + 1 + 1)
  })
  it('that is refused costs two openings with their rollback, and the entry in the audit log', async () => {
    const member = await acme.member({ scopes: [] })
    const ask = async () => ({ status: (await member.post('/quotes/1/reject')).status === 403 ? 200 : 0 })
    expect(await tripsOf(ask)).toBe(2 * (1 + 1) + 1)
  })
})
