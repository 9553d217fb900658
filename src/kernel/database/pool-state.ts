// How many connections to the database are open, idle and waited for: for the metrics.
import type { Pool } from 'pg'

/** `waiting`: how many wait for a connection; for shared connections, how many reads wait for earlier answers. */
export type PoolState = { name: string; size: number; open: number; idle: number; waiting: number }

export const poolState = (name: string, pool: Pool): PoolState => ({
  name,
  size: pool.options.max,
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})
