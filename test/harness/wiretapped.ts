// A service whose messages to PostgreSQL are counted on their way, and the organization that its tests work in.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { compose, type Service } from '../../src/commands/compose.ts'
import { loadSecrets } from '../../src/commands/secrets.ts'
import { readConfig } from '#config/config.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { NO_SYSTEMS } from './other-systems.ts'
import { createWorld, type World } from './world.ts'
import { LONG_WAITS, waitingLong } from './long-waits.ts'
import { sharedLogin } from '../../src/postgres/roles.ts'

export type Wiretapped = { wiretap: Wiretap; database: TestDatabase; world: World; close: () => Promise<void> }

export async function startWiretapped(): Promise<Wiretapped> {
  const database = await cloneDatabase()
  const wiretap = await tap(database.url)
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-trips-'))
  const config = readConfig({
    SANDBOX: '1',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    DATABASE_READ_CONNECTIONS: '1',
    ...NO_SYSTEMS,
  })
  const service: Service = await compose({
    config,
    secrets: await loadSecrets(config),
    logins: () => waitingLong(sharedLogin(wiretap.url)),
    waits: LONG_WAITS,
    hooks: {},
    log: pino({ level: 'silent' }),
  })
  await service.app.ready()
  const { accessTokens } = service.ports
  return {
    wiretap,
    database,
    world: createWorld({ app: service.app, database, accessTokens, clock: { now: new Date() } }),
    async close() {
      await service.close()
      await wiretap.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * What was sent since the last `reset`; the answers are only passed on. Without the report of what callers have used of
 * their limits: it comes once a second, whatever a request does.
 */
export type Wiretap = {
  url: string
  /** Round trips. */
  trips: () => number
  /** The texts of the statements, in order. */
  statements: () => string[]
  reset: () => void
  close: () => Promise<void>
}

const HEADER_BYTES = 5
/** Sync and simple Query: after each the service waits for an answer. */
const WAITED_FOR = ['S', 'Q']
const LIMITS_REPORT = 'insert into rate_limits'

/** One round trip: the texts of its statements. */
type Trip = string[]

async function tap(databaseUrl: string): Promise<Wiretap> {
  const { port, hostname } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let sent: Trip[] = []
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const read = messages()
    let open: Trip = []
    function count({ type, bound }: Message): void {
      if (bound !== undefined) open.push(bound)
      if (!WAITED_FOR.includes(type)) return
      if (!open.some((text) => text.includes(LIMITS_REPORT))) sent.push(open)
      open = []
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((one) => one.destroy()))
    }
    client.on('data', (bytes: Buffer) => {
      read(bytes).forEach(count)
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
    trips: () => sent.length,
    statements: () => sent.flat(),
    reset: () => void (sent = []),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** `bound`: the text of the prepared statement that a Bind names. */
type Message = { type: string; bound?: string }

/** The messages that these bytes complete. The first message of a connection has no type. */
function messages(): (bytes: Buffer) => Message[] {
  const prepared = new Map<string, string>()
  let waiting = Buffer.alloc(0)
  let hasStarted = false
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    const complete: Message[] = []
    for (;;) {
      const typeBytes = hasStarted ? 1 : 0
      if (waiting.length < HEADER_BYTES) return complete
      const size = typeBytes + waiting.readUInt32BE(typeBytes)
      if (waiting.length < size) return complete
      const type = hasStarted ? String.fromCharCode(waiting[0] ?? 0) : ''
      const [first = '', second = ''] = waiting.subarray(HEADER_BYTES, size).toString('latin1').split('\0', 2)
      // Parse names a statement and gives its text; Bind names a portal and the statement.
      if (type === 'P') prepared.set(first, second)
      complete.push(type === 'B' ? { type, bound: prepared.get(second) ?? '' } : { type })
      hasStarted = true
      waiting = waiting.subarray(size)
    }
  }
}
