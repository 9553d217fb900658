// What the catalogue of Citus says of the cluster (docs/scaling.md).
import type { Client } from 'pg'

export async function hasCitus(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  return rowCount !== 0
}

/** Whether `migrate --distribute` has run here. */
export async function isDistributed(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 from pg_namespace where nspname = 'titular_distribution'`)
  return rowCount !== 0
}

export type Shard = { table: string; shard: string; id: string; node: string; port: number; range: string }

/** Those of the distributed tables. Shards of the same range lie beside each other, on one node. */
export async function shardsOf(client: Client): Promise<Shard[]> {
  const { rows } = await client.query<Shard>(
    `select s.logicalrelid::text as "table", shard_name(s.logicalrelid, s.shardid) as shard, s.shardid::text as id,
            n.nodename as node, n.nodeport as port, s.shardminvalue as range
       from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
      where n.noderole = 'primary' and s.shardminvalue is not null order by 1, 2`,
  )
  return rows
}
