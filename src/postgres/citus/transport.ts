// How statements travel on a cluster: through the coordinator, and to the node that has the organization
// (docs/scaling.md).
import type { Client } from 'pg'
import { rowsOf, type Statement, sql } from '#kernel/values/sql.ts'
import type { Role } from '#kernel/database/database.ts'
import { BEGIN, type RunGroup, type Session } from '#kernel/database/transaction.ts'
import type { Connector, ServerAddress, Transport } from '#kernel/database/transport.ts'
import type { OutageLogger } from '#kernel/values/outage-log.ts'
import { APP } from '../roles.ts'
import { type ClusterReads, createClusterReads, type NodeReads } from './node-reads.ts'
import { createPooledReads } from './pooled-reads.ts'
import { createStatementKinds } from './statement-kinds.ts'
import { BOUND, tellingNodes } from './tell-nodes.ts'
import { committingTogether, isWriterLock } from './two-phases.ts'

/** A node would give what it adds an id of its own range (docs/scaling.md). */
const BEGIN_READING = sql`begin read only`
/** As many as a shared connection has reads at a time. */
const CONNECTIONS_PER_SHARED = 8

export type ClusterTransport = Transport & { answered(): NodeReads | null }

/** `nodesLog` gets what hinders reads of the nodes; with null the coordinator answers all. */
export function openClusterTransport(connector: Connector, nodesLog: OutageLogger | null): ClusterTransport {
  const { timeouts, readConnections, send, share, createPool, checkOut } = connector
  /** Connections to the coordinator on which nothing reaches the nodes. */
  const accessChecks = share(APP)
  /** What is known of the schema. */
  const kinds = createStatementKinds(accessChecks)
  /** One round trip on the connection. */
  const groupOn = (client: Client): RunGroup => tellingNodes((statements) => send(client, statements), kinds)
  /** For the groups of one transaction on the connection. */
  const transactionOn = (client: Client): RunGroup => committingTogether(groupOn(client), kinds)
  const pooledReads = (role: Role, begin: Statement, node?: ServerAddress) => {
    const pool = createPool(role, readConnections[role] * CONNECTIONS_PER_SHARED, node)
    return createPooledReads(
      pool,
      begin,
      () => checkOut(pool),
      (client, statements, answerMs = timeouts.waits.answerMs) =>
        timeouts.wait(client, (node ? groupOn(client) : transactionOn(client))(statements), answerMs),
    )
  }
  const nodeReads =
    nodesLog &&
    createClusterReads({
      accessChecks,
      kinds,
      coordinator: pooledReads(APP, BEGIN),
      readsAt: (node) => pooledReads(APP, BEGIN_READING, node),
      log: nodesLog,
    })
  return {
    createReads: (role) => (role === APP && nodeReads) || pooledReads(role, BEGIN),
    groupsOf(client, role, answerMs) {
      const inTransaction = transactionOn(client)
      const run: RunGroup = (statements) => timeouts.wait(client, inTransaction(statements), answerMs)
      const isLong = answerMs > timeouts.waits.answerMs
      return role === APP && nodeReads ? readingAtNode(run, nodeReads, { answerMs, isLong }) : inOrder(run)
    },
    morePools: () => (nodeReads ? [nodeReads.stateOfNodes()] : []),
    answered: () => nodeReads?.answered() ?? null,
    close: () => accessChecks.close(),
  }
}

/** A cluster has no plan for all organizations, such as one server keeps. */
const inOrder = (run: RunGroup): Pick<Session, 'begin' | 'run'> => ({
  run,
  begin: async (opening) => (await run([BEGIN, ...opening])).slice(1),
})

/** While a node answers, the coordinator has nothing to do: as long as a job waits for an answer. */
const MAY_PAUSE = sql`set local idle_in_transaction_session_timeout = '70s'`

/** Reads of the node what the transaction reads of its organization, once that is locked. */
export function readingAtNode(
  run: RunGroup,
  nodeReads: Pick<ClusterReads, 'forLocked'>,
  { answerMs, isLong }: { answerMs: number; isLong: boolean },
): Pick<Session, 'begin' | 'run'> {
  let isLocked = false
  let later = run
  /** The lock has a row, unless its caller may not see the organization. */
  const notice = (statements: readonly Statement[], rows: readonly unknown[][]): void => {
    isLocked ||= statements.some((statement, index) => isWriterLock(statement) && (rows[index] ?? []).length > 0)
  }
  return {
    async begin(opening) {
      const isBound = opening.some(({ isBinding }) => isBinding)
      const begin = isBound && isLong ? [BEGIN, MAY_PAUSE] : [BEGIN]
      const opened = (await run([...begin, ...opening, ...(isBound ? [BOUND] : [])])).slice(begin.length)
      const [bound] = isBound ? rowsOf(BOUND, opened.pop()) : []
      if (bound) later = nodeReads.forLocked(run, { bound, isLocked: () => isLocked, answerMs })
      notice(opening, opened)
      return opened
    },
    async run(statements) {
      const rows = await later(statements)
      notice(statements, rows)
      return rows
    },
  }
}
