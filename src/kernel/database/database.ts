// The connections to PostgreSQL: shared ones for reads and a pool for changes, both for each of the two roles.
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { type Plans, runBatch } from '#kernel/database/batch.ts'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { DatabaseUnavailable, isStalePlan } from '#kernel/values/errors.ts'
import { type ClusterReads, createClusterReads, type NodeAddress, type NodeReads } from './cluster-reads.ts'
import { createStatementKinds, type StatementKinds } from './cluster-statements.ts'
import { createPooledReads, tellingNodes } from './distributed.ts'
import { createSharedConnections, type SharedConnections } from './shared-connections.ts'
import {
  type AnswerTimeouts,
  createAnswerTimeouts,
  destroyConnection,
  LONG_ANSWER_MS,
  type Waits,
  WAITS,
} from './answer-timeouts.ts'
import { clientWith } from './client-with.ts'
import type { OutageLogger } from '#kernel/values/outage-log.ts'
import { type PoolState, poolState } from './pool-state.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { BEGIN, type RunGroup, runTransaction, type Session, type Transaction } from './transaction.ts'
import { committingTogether } from './two-phases.ts'

export type Role = 'titular_app' | 'titular_system'

/** `options` set the role and its time-outs; without them the login is the role itself (PgBouncer). */
export type Login = { connectionString: string; options?: string }
export type Logins = Readonly<Record<Role, Login>> & {
  /** The tables of organizations are spread over the nodes of a cluster (docs/scaling.md). */
  readonly isDistributed?: boolean
}

export type DatabaseOptions = {
  /** Asked for with each new connection: before the first one, the address of the server need not be known. */
  logins: () => Logins
  readConnections: number
  changeConnections: number
  /** Errors of idle connections, for the log; the pools replace such connections by themselves. */
  onError: (error: Error) => void
  waits?: Waits | undefined
  /** Set when the nodes of a cluster may be read from; it gets what hinders that. */
  nodesLog?: OutageLogger | undefined
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
  /** As in `Logins`. */
  isDistributed(): boolean
  /** Null unless the nodes of a cluster are read from. */
  nodeReads(): NodeReads | null
  close(): Promise<void>
}

const ROLLBACK = sql`rollback`
/** A node would give what it adds an id of its own range (docs/scaling.md). */
const BEGIN_READING = sql`begin read only`
/** A shared connection has this many reads at a time. */
const READS_PER_CONNECTION = 8

export function openDatabase(options: DatabaseOptions): Database {
  const { waits = WAITS } = options
  const configFor = (role: Role, node?: NodeAddress): ClientConfig => {
    const login = options.logins()[role]
    return {
      connectionTimeoutMillis: waits.connectMs,
      keepAlive: true,
      application_name: role,
      types: typeParsers,
      ...login,
      ...(node && { connectionString: atNode(login.connectionString, node) }),
    }
  }
  const isDistributed = () => options.logins().isDistributed === true
  const plans: Plans = { version: 0 }
  const timeouts = createAnswerTimeouts(waits)
  /** Made for the first read: only then it is known what the server is. */
  const readsMade = new Map<Role, SharedConnections>()
  function readsOf(role: Role): SharedConnections {
    const made = readsMade.get(role) ?? createReads(role)
    readsMade.set(role, made)
    return made
  }
  let clusterReads: ClusterReads | undefined
  /** Connections to the coordinator on which nothing reaches the nodes, and what they know of the schema. */
  let cluster: { accessChecks: SharedConnections; kinds: StatementKinds } | undefined
  function ofCluster() {
    const accessChecks = cluster?.accessChecks ?? sharedReads('titular_app', options.readConnections)
    return (cluster ??= { accessChecks, kinds: createStatementKinds(accessChecks) })
  }
  const sharedReads = (role: Role, size: number) =>
    createSharedConnections(size, () => connectShared(role), plans, timeouts)
  function createReads(role: Role): SharedConnections {
    const size = role === 'titular_app' ? options.readConnections : Math.max(1, options.readConnections >> 1)
    if (!isDistributed()) return sharedReads(role, size)
    const pooled = (begin: Statement, node?: NodeAddress) => {
      const pool = createPool(role, size * READS_PER_CONNECTION, node)
      return createPooledReads(
        pool,
        begin,
        () => checkOut(pool, timeouts),
        (client, statements, answerMs = waits.answerMs) =>
          timeouts.wait(client, (node ? groupOn(client) : transactionOn(client))(statements), answerMs),
      )
    }
    const { nodesLog: log } = options
    if (role !== 'titular_app' || !log) return pooled(BEGIN)
    const readsAt = (node: NodeAddress) => pooled(BEGIN_READING, node)
    return (clusterReads = createClusterReads({ ...ofCluster(), coordinator: pooled(BEGIN), readsAt, log }))
  }
  function ofNodes(role: Role, answerMs: number): Pick<Session, 'ofNodes'> {
    if (!isDistributed() || role !== 'titular_app') return {}
    readsOf(role)
    const reads = clusterReads
    return reads ? { ofNodes: (run, locked) => reads.forLocked(run, { ...locked, answerMs }) } : {}
  }
  /** One round trip on the connection. */
  const groupOn = (client: Client): RunGroup => {
    const run: RunGroup = (statements) => runBatch(client, statements, plans)
    return isDistributed() ? tellingNodes(run, ofCluster().kinds) : run
  }
  /** For the groups of one transaction on the connection. */
  const transactionOn = (client: Client): RunGroup =>
    isDistributed() ? committingTogether(groupOn(client), ofCluster().kinds) : groupOn(client)
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
  function createPool(role: Role, max: number, node?: NodeAddress): Pool {
    const pool = new Pool({
      Client: clientWith(() => configFor(role, node)),
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
  const connections = (answerMs: number): Connections => {
    return {
      async read(role, statements) {
        try {
          return await readsOf(role).read(statements)
        } catch (error) {
          if (!isStalePlan(error)) throw error
          return readsOf(role).read(statements)
        }
      },
      async change(role, opening, transact) {
        const client = await checkOut(pools[role], timeouts)
        let broken: Error | undefined
        // A connection that cannot roll back is removed from the pool, or its next user would inherit the transaction.
        const rollback = () =>
          timeouts
            .wait(client, runBatch(client, [ROLLBACK], plans), waits.answerMs)
            .catch((failure: Error) => void (broken = failure))
        const run = transactionOn(client)
        try {
          const session = {
            run: (statements: readonly Statement[]) => timeouts.wait(client, run(statements), answerMs),
            rollback,
            isDistributed: isDistributed(),
            isLong: answerMs > waits.answerMs,
            ...ofNodes(role, answerMs),
          }
          return await runTransaction(session, opening, transact)
        } finally {
          client.release(broken)
        }
      },
    }
  }
  return {
    isDistributed,
    ...connections(waits.answerMs),
    longRunning: { read: connections(waits.answerMs).read, change: connections(LONG_ANSWER_MS).change },
    pools: () => [
      { ...readsOf('titular_app').state(), name: 'reads_app' },
      { ...readsOf('titular_system').state(), name: 'reads_system' },
      poolState('changes_app', pools.titular_app),
      poolState('changes_system', pools.titular_system),
      ...(clusterReads ? [clusterReads.stateOfNodes()] : []),
    ],
    nodeReads: () => clusterReads?.answered() ?? null,
    async close() {
      await Promise.all([...readsMade.values()].map((reads) => reads.close()))
      await cluster?.accessChecks.close()
      await Promise.all([pools.titular_app.end(), pools.titular_system.end()])
    },
  }
}

function atNode(connectionString: string, { host, port }: NodeAddress): string {
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
