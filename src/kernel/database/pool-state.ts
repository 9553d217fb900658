// How the connections to the database stand, for the metrics.
import type { Pool } from 'pg'

/** `waiting`: who waits for a connection; of shared ones, for the answers to those before. */
export type PoolState = { name: string; size: number; open: number; idle: number; waiting: number }

export const poolState = (name: string, pool: Pool): PoolState => ({
  name,
  size: pool.options.max,
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})
