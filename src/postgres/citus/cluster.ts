// What the catalogue of Citus says of the cluster (docs/scaling.md).
import type { Client } from 'pg'
import { withLogin } from '../login.ts'

export async function hasCitus(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  return rowCount !== 0
}

/** Whether `migrate --distribute` has run here. */
export const isDistributed = (url: string): Promise<boolean> =>
  withLogin(url, async (client) => {
    const { rowCount } = await client.query(`select 1 from pg_namespace where nspname = 'titular_distribution'`)
    return rowCount !== 0
  })
