// Reads on a cluster, where each is a transaction on a connection of its own.
import type { Pool, PoolClient } from 'pg'
import type { Statement } from '#kernel/values/sql.ts'
import { poolState } from '#kernel/database/pool-state.ts'
import type { SharedConnections } from '#kernel/database/shared-connections.ts'
import { COMMIT, type RunGroup } from '#kernel/database/transaction.ts'

export type PooledReads = Omit<SharedConnections, 'read'> & {
  read(statements: readonly Statement[], answerMs?: number): Promise<unknown[][]>
}

/**
 * Each read has a connection of its own meanwhile. One that fails leaves its transaction open, so its connection goes.
 */
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
        broken = error instanceof Error ? error : new Error(String(error))
        throw error
      } finally {
        client.release(broken)
      }
    },
    state: () => poolState('', pool),
    close: () => pool.end(),
  }
}
