// What a cluster of nodes needs besides the statements themselves (docs/scaling.md).
import type { Pool, PoolClient } from 'pg'
import { join, raw, type Statement, sql } from '#kernel/values/sql.ts'
import type { StatementKinds } from './cluster-statements.ts'
import { poolState } from './pool-state.ts'
import type { SharedConnections } from './shared-connections.ts'
import { COMMIT, type RunGroup } from './transaction.ts'

/** What policies read, set by the access check (kernel/access/access-check.ts). */
export const BOUND_SETTINGS = [
  'app.organization_id',
  'app.staff',
  'app.scopes',
  'app.user_id',
  'app.role',
  'app.ticket_visibility',
] as const

export type Bound = Record<(typeof BOUND_SETTINGS)[number], string | null>
/** Their values. */
export const BOUND = sql<Bound>`select ${join(
  BOUND_SETTINGS.map((name) => sql`current_setting(${name}, true) as ${raw(`"${name}"`)}`),
  ', ',
)}`

/** Only SET LOCAL within BEGIN and COMMIT reaches the nodes; the function repeats with it what set_config has set. */
const TELL_NODES = sql`select titular_distribution.tell_nodes()`

/**
 * For the groups of one transaction: before the first statement that reaches a node, the nodes are told what has been set, in the
 * same round trip.
 */
export function tellingNodes(run: RunGroup, kinds: StatementKinds): RunGroup {
  let isUntold = false
  return async (statements) => {
    const found = await kinds.of(statements).catch(() => [])
    const sent = statements.flatMap((statement, index) => {
      isUntold ||= statement.isBinding === true
      const isReached = (found[index] ?? 'change') !== 'coordinator'
      if (!isUntold || !isReached || statement.isBinding) return [statement]
      isUntold = false
      return [TELL_NODES, statement]
    })
    const rows = await run(sent)
    return rows.filter((_, index) => sent[index] !== TELL_NODES)
  }
}

export type PooledReads = Omit<SharedConnections, 'read'> & {
  read(statements: readonly Statement[], answerMs?: number): Promise<unknown[][]>
}

/** Each read has a connection of its own meanwhile. One that fails leaves its transaction open, so its connection goes. */
export function createPooledReads(
  pool: Pool,
  begin: Statement,
  checkOut: () => Promise<PoolClient>,
  run: (client: PoolClient, statements: Parameters<RunGroup>[0], answerMs?: number) => Promise<unknown[][]>,
): PooledReads {
  return {
    async read(statements, answerMs) {
      const client = await checkOut()
      let broken: Error | undefined
      try {
        return (await run(client, [begin, ...statements, COMMIT], answerMs)).slice(1, -1)
      } catch (error) {
        broken = error as Error
        throw error
      } finally {
        client.release(broken)
      }
    },
    state: () => poolState('', pool),
    close: () => pool.end(),
  }
}
