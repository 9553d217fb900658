// The connections to PostgreSQL: shared ones for reads and a pool for changes, both for each of the two roles.
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { type Plans, runBatch } from '#kernel/database/batch.ts'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { DatabaseUnavailable, isStalePlan } from '#kernel/values/errors.ts'
import { createSharedConnections } from './shared-connections.ts'
import {
  type AnswerTimeouts,
  createAnswerTimeouts,
  destroyConnection,
  LONG_ANSWER_MS,
  type Waits,
  WAITS,
} from './answer-timeouts.ts'
import { clientWith } from './client-with.ts'
import { type PoolState, poolState } from './pool-state.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { runTransaction, type Transaction } from './transaction.ts'
import { type Connector, type OpenTransport, type ServerAddress, toOneServer, type Transport } from './transport.ts'

export type Role = 'titular_app' | 'titular_system'

/** `options` set the role and its time-outs; without them the login is the role itself (PgBouncer). */
export type Login = { connectionString: string; options?: string }
export type Logins = Readonly<Record<Role, Login>>

type DatabaseOptions = {
  /** Asked for with each new connection: before the first one, the address of the server need not be known. */
  logins: () => Logins
  readConnections: number
  changeConnections: number
  /** Errors of idle connections, for the log; the pools replace such connections by themselves. */
  onError: (error: Error) => void
  waits?: Waits | undefined
  /** How statements travel: to one server, unless it says otherwise. Asked anew for each read and transaction. */
  transport?: () => OpenTransport
}

export type Connections = {
  /** One round trip, one implicit transaction. */
  read(role: Role, statements: readonly Statement[]): Promise<unknown[][]>
  /** BEGIN together with the `opening` statements; commits when `transact` resolves, rolls back when it throws. */
  change<Result>(
    role: Role,
    opening: readonly Statement[],
    transact: (transaction: Transaction, opened: unknown[][]) => Promise<Result>,
  ): Promise<Result>
}

export type Database = Connections & {
  /** The same for jobs, whose statements may take up to a minute. */
  longRunning: Connections
  pools(): PoolState[]
  close(): Promise<void>
}

const ROLLBACK = sql`rollback`

export function openDatabase(options: DatabaseOptions): Database {
  const { waits = WAITS } = options
  const configFor = (role: Role, at?: ServerAddress): ClientConfig => {
    const login = options.logins()[role]
    return {
      connectionTimeoutMillis: waits.connectMs,
      keepAlive: true,
      application_name: role,
      types: typeParsers,
      ...login,
      ...(at && { connectionString: atServer(login.connectionString, at) }),
    }
  }
  const plans: Plans = { version: 0 }
  const timeouts = createAnswerTimeouts(waits)
  const readConnections = {
    titular_app: options.readConnections,
    titular_system: Math.max(1, options.readConnections >> 1),
  }
  const send = (client: Client, statements: readonly Statement[]) => runBatch(client, statements, plans)
  async function connectShared(role: Role): Promise<Client> {
    const client = new Client(configFor(role))
    client.on('error', options.onError)
    await client.connect()
    timeouts.opened(client)
    return client
  }
  const pools = {
    titular_app: createPool('titular_app', options.changeConnections),
    titular_system: createPool('titular_system', Math.max(2, options.changeConnections >> 1)),
  }
  function createPool(role: Role, max: number, at?: ServerAddress): Pool {
    const pool = new Pool({
      Client: clientWith(() => configFor(role, at)),
      connectionTimeoutMillis: waits.connectMs,
      max,
    })
    pool.on('error', options.onError)
    // The pool listens to idle connections only. Without a listener, one that breaks in use would end the process; its
    // statements fail anyway.
    pool.on('connect', (client) => {
      client.on('error', () => {})
      timeouts.opened(client)
    })
    return pool
  }
  const connector: Connector = {
    timeouts,
    readConnections,
    send,
    share: (role) => createSharedConnections(readConnections[role], () => connectShared(role), plans, timeouts),
    createPool,
    checkOut: (pool) => checkOut(pool, timeouts),
  }
  /** Opened for the first statement: only then it is known what the server is. */
  const opened = new Map<OpenTransport, ReturnType<typeof withReads>>()
  function transport() {
    const open = options.transport?.() ?? toOneServer
    const known = opened.get(open) ?? withReads(open(connector))
    opened.set(open, known)
    return known
  }
  const connections = (answerMs: number): Connections => {
    return {
      async read(role, statements) {
        try {
          return await transport().reads[role].read(statements)
        } catch (error) {
          if (!isStalePlan(error)) throw error
          return transport().reads[role].read(statements)
        }
      },
      async change(role, opening, transact) {
        const client = await checkOut(pools[role], timeouts)
        let broken: Error | undefined
        // A connection that cannot roll back is removed from the pool, or its next user would inherit the transaction.
        const rollback = () =>
          timeouts
            .wait(client, send(client, [ROLLBACK]), waits.answerMs)
            .catch((failure: Error) => void (broken = failure))
        try {
          const groups = transport().groupsOf(client, role, answerMs)
          return await runTransaction({ ...groups, rollback }, opening, transact)
        } finally {
          client.release(broken)
        }
      },
    }
  }
  return {
    ...connections(waits.answerMs),
    longRunning: { read: connections(waits.answerMs).read, change: connections(LONG_ANSWER_MS).change },
    pools() {
      const { reads, morePools } = transport()
      return [
        { ...reads.titular_app.state(), name: 'reads_app' },
        { ...reads.titular_system.state(), name: 'reads_system' },
        poolState('changes_app', pools.titular_app),
        poolState('changes_system', pools.titular_system),
        ...morePools(),
      ]
    },
    async close() {
      for (const { reads, close } of opened.values())
        await Promise.all([reads.titular_app.close(), reads.titular_system.close(), close()])
      await Promise.all([pools.titular_app.end(), pools.titular_system.end()])
    },
  }
}

const withReads = (transport: Transport) => ({
  ...transport,
  reads: { titular_app: transport.createReads('titular_app'), titular_system: transport.createReads('titular_system') },
})

function atServer(connectionString: string, { host, port }: ServerAddress): string {
  const url = new URL(connectionString)
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return url.href
}

async function checkOut(pool: Pool, timeouts: AnswerTimeouts): Promise<PoolClient> {
  try {
    for (;;) {
      const client = await pool.connect()
      if (!timeouts.isSuspect(client)) return client
      destroyConnection(client)
      client.release(true)
    }
  } catch (error) {
    throw new DatabaseUnavailable(error)
  }
}
