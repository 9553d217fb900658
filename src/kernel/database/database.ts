// The connections to PostgreSQL: shared ones for reads and a pool for changes, both for each of the two roles.
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { type Plans, runBatch } from '#kernel/database/batch.ts'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { DatabaseUnavailable, isStalePlan } from '#kernel/http/errors.ts'
import { createSharedConnections } from './shared-connections.ts'
import {
  ANSWER_MS,
  CONNECT_TIMEOUT_MS,
  createAnswerTimeouts,
  LONG_ANSWER_MS,
  type AnswerTimeouts,
  destroyConnection,
} from './answer-timeouts.ts'
import { type PoolState, poolState } from './pool-state.ts'
import { type Statement, sql } from '#kernel/data/sql.ts'

export type Role = 'titular_app' | 'titular_system'

export type DatabaseOptions = {
  urls: Record<Role, string>
  /** Start-up options that set the role and its time-outs; null when the login is the role itself (PgBouncer). */
  sessionOptions: Record<Role, string> | null
  readConnections: number
  changeConnections: number
  /** Errors of idle connections, for the log; the pools replace such connections by themselves. */
  onError: (error: Error) => void
}

export type Transaction = {
  ask<Row>(statement: Statement<Row>): Promise<Row[]>
  batch(statements: Statement[]): Promise<unknown[][]>
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

export function openDatabase(options: DatabaseOptions): Database {
  const configFor = (role: Role): ClientConfig => ({
    connectionString: options.urls[role],
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: role,
    types: typeParsers,
    ...(options.sessionOptions && { options: options.sessionOptions[role] }),
  })
  const plans: Plans = { version: 0 }
  const timeouts = createAnswerTimeouts()
  const reads = {
    titular_app: createSharedConnections(options.readConnections, () => connectShared('titular_app'), plans, timeouts),
    titular_system: createSharedConnections(
      Math.max(1, options.readConnections >> 1),
      () => connectShared('titular_system'),
      plans,
      timeouts,
    ),
  }
  async function connectShared(role: Role): Promise<Client> {
    const client = new Client(configFor(role))
    client.on('error', options.onError)
    await client.connect()
    timeouts.opened(client)
    return client
  }
  const pools = { titular_app: createPool('titular_app'), titular_system: createPool('titular_system') }
  function createPool(role: Role): Pool {
    const pool = new Pool({
      ...configFor(role),
      max: role === 'titular_app' ? options.changeConnections : Math.max(2, options.changeConnections >> 1),
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
  const connections = (answerMs: number): Connections => {
    const run: Run = (client, statements) => timeouts.wait(client, runBatch(client, statements, plans), answerMs)
    return {
      async read(role, statements) {
        try {
          return await reads[role].read(statements)
        } catch (error) {
          if (!isStalePlan(error)) throw error
          return reads[role].read(statements)
        }
      },
      async change(role, opening, transact) {
        const client = await checkOut(pools[role], timeouts)
        const rollback = () => timeouts.wait(client, runBatch(client, [ROLLBACK], plans), ANSWER_MS)
        return inTransaction({ client, run, rollback }, opening, transact)
      },
    }
  }
  return {
    ...connections(ANSWER_MS),
    longRunning: { read: connections(ANSWER_MS).read, change: connections(LONG_ANSWER_MS).change },
    pools: () => [
      { name: 'reads_app', ...reads.titular_app.state() },
      { name: 'reads_system', ...reads.titular_system.state() },
      poolState('changes_app', pools.titular_app),
      poolState('changes_system', pools.titular_system),
    ],
    async close() {
      await Promise.all([reads.titular_app.close(), reads.titular_system.close()])
      await Promise.all([pools.titular_app.end(), pools.titular_system.end()])
    },
  }
}

type Run = (client: Client, statements: readonly Statement[]) => Promise<unknown[][]>

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

const BEGIN = sql`begin`
const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

async function inTransaction<Result>(
  { client, run, rollback }: { client: PoolClient; run: Run; rollback: () => Promise<unknown> },
  opening: readonly Statement[],
  transact: (transaction: Transaction, opened: unknown[][]) => Promise<Result>,
): Promise<Result> {
  let broken: Error | undefined
  try {
    let failed: Error | undefined
    const batch = (statements: readonly Statement[]) =>
      run(client, statements).catch((error: Error) => {
        failed = error
        throw error
      })
    const [, ...opened] = await batch([BEGIN, ...opening])
    const ask = async <Row>(statement: Statement<Row>) => ((await batch([statement]))[0] ?? []) as Row[]
    const result = await transact({ ask, batch }, opened)
    // COMMIT of a failed transaction rolls back without an error, so a failure that was swallowed is thrown here.
    if (failed) throw failed
    await batch([COMMIT])
    return result
  } catch (error) {
    // A connection that cannot roll back is removed from the pool, or its next user would inherit the transaction.
    await rollback().catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    client.release(broken)
  }
}
