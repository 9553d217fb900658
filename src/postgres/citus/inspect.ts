// What is where: for `titular doctor`.
import type { Client } from 'pg'
import { hasCitus, isDistributed, shardsOf } from './cluster.ts'
import { LOCAL_TABLES } from './local-tables.ts'

/** `bytes`: of the table with its indexes, on all nodes. */
export type TablePlace = {
  table: string
  place: 'distributed' | 'all nodes' | 'coordinator' | 'server'
  reason: string | null
  bytes: number
}
export type NodeLoad = { node: string; shards: number; bytes: number }
export type Inspection = {
  citus: boolean
  distributed: boolean
  nodes: NodeLoad[]
  tables: TablePlace[]
  /** Foreign keys that no cluster can keep. */
  lostKeys: string[]
  /** What somebody has to do something about. */
  problems: string[]
}

const OTHERS = 'belongs to no organization'

/** For a connection of the owner. */
export async function inspect(client: Client): Promise<Inspection> {
  const [citus, distributed] = [await hasCitus(client), await isDistributed(client)]
  const tables = await tablesOf(client, citus)
  if (!distributed) return { citus, distributed, nodes: [], tables, lostKeys: [], problems: [] }
  return {
    citus,
    distributed,
    nodes: await nodesOf(client),
    tables,
    lostKeys: await lostKeysOf(client),
    problems: [...undistributed(tables), ...(await restrictive(client)), ...(await closedShards(client))],
  }
}

const LOCAL_SIZE = 'pg_total_relation_size(c.oid)'
const DISTRIBUTED_SIZE = `case when p.logicalrelid is null then ${LOCAL_SIZE} else citus_total_relation_size(c.oid) end`

async function tablesOf(client: Client, citus: boolean): Promise<TablePlace[]> {
  const { rows } = await client.query<{
    table: string
    hasOrganization: boolean
    method: string | null
    bytes: string
  }>(
    `select c.relname as table, coalesce(a.attnotnull, false) as "hasOrganization",
            ${citus ? 'p.partmethod' : 'null'} as method,
            ${citus ? DISTRIBUTED_SIZE : LOCAL_SIZE} as bytes
       from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
       ${citus ? 'left join pg_dist_partition p on p.logicalrelid = c.oid' : ''}
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`,
  )
  return rows.map(({ table, hasOrganization, method, bytes }) => ({
    table,
    place: placeOf(method, citus),
    reason: method === null && citus ? (LOCAL_TABLES[table] ?? (hasOrganization ? null : OTHERS)) : null,
    bytes: Number(bytes),
  }))
}

/** `method` as in `pg_dist_partition`: `h` by hash, `n` none. */
function placeOf(method: string | null, isCluster: boolean): TablePlace['place'] {
  if (method === null) return isCluster ? 'coordinator' : 'server'
  return method === 'h' ? 'distributed' : 'all nodes'
}

async function nodesOf(client: Client): Promise<NodeLoad[]> {
  const { rows } = await client.query<{ node: string; shards: string; bytes: string }>(
    `select nodename || ':' || nodeport as node, count(*) as shards, sum(shard_size) as bytes from citus_shards
      where citus_table_type = 'distributed' group by 1 order by 1`,
  )
  return rows.map(({ node, shards, bytes }) => ({ node, shards: Number(shards), bytes: Number(bytes) }))
}

async function lostKeysOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select "table" || '.' || name as key from titular_distribution.foreign_keys order by 1`,
  )
  return rows.map(({ key }) => key)
}

const undistributed = (tables: readonly TablePlace[]): string[] =>
  tables
    .filter(({ place, reason }) => place === 'coordinator' && reason === null)
    .map(({ table }) => `${table} is not distributed: run titular migrate --distribute`)

async function restrictive(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select o.polrelid::regclass::text as table, o.polname as name from pg_policy o
       join pg_dist_partition p on p.logicalrelid = o.polrelid where not o.polpermissive order by 1, 2`,
  )
  return rows.map(
    ({ table, name }) => `The policy ${name} of ${table} is permissive on its shards: run titular migrate --distribute`,
  )
}

/** Shards that hide more than their table's policies: they were moved or split by somebody else. */
async function closedShards(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select "table", name from titular_distribution.policies where concat("using", "check") like '%SELECT %'`,
  )
  const problems = []
  for (const { shard, table, node, port } of await shardsOf(client)) {
    const names = rows.filter((policy) => policy.table === table).map(({ name }) => name)
    if (names.length === 0) continue
    const { rows: found } = await client.query<{ result: string }>(
      `select result from master_run_on_worker(array[$1], array[$2]::int[], array[$3], false)`,
      [
        node,
        port,
        `select count(*) from pg_policy where polrelid = '${shard}'::regclass and polname = any('{${names.join(',')}}')
           and concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) like '%SELECT %'`,
      ],
    )
    if (Number(found[0]?.result) !== names.length)
      problems.push(`${shard} on ${node}:${port} hides what some members may read: run titular migrate --distribute`)
  }
  return problems
}
