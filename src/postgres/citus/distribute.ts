// Spreads the tables of organizations over the nodes of a cluster (docs/scaling.md). Each step is a transaction of its
// own, so that a run which was cut goes on where it ended.
import { type Client, escapeIdentifier } from 'pg'
import type { Log } from '../log.ts'
import { asOwner, withLogin } from '../login.ts'
import { OWNER } from '../roles.ts'
import { StartupError } from '../startup-error.ts'
import { hasCitus, isDistributed } from './cluster.ts'
import { distributeFunctions, makeFunctions, oneAtATime } from './functions.ts'
import { LOCAL_TABLES, MADE_UNIQUE, REFERENCE_TABLES } from './local-tables.ts'
import { foldNewPolicies, foldPolicies, makePolicyStore, openShards } from './policies.ts'

export type Distribution = {
  /** Those that this run distributed. */
  distributed: string[]
  /** Names of foreign keys between what is distributed and what is not: no cluster can keep them. */
  lost: string[]
}

/** The table whose shards all others lie beside. */
const FIRST = 'events'
const ASIDE = 'titular_distribution.foreign_keys'

export async function distribute({ ownerUrl, log }: { ownerUrl: string; log: Log }): Promise<Distribution> {
  await withLogin(ownerUrl, giveRights)
  return asOwner(ownerUrl, (client) => distributeIn(client, log))
}

/**
 * Nodes that were added later do not know the rights on the database that the first start gave; what is granted again,
 * they learn.
 */
async function giveRights(client: Client): Promise<void> {
  await assertCluster(client)
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const database = escapeIdentifier(rows[0]?.name ?? '')
  await client.query(`grant create on database ${database} to ${OWNER}`)
  await client.query(`revoke temporary on database ${database} from public`)
}

/** What migrations have added to a database that is distributed; for a connection of the owner. */
export async function distributeAdded(client: Client, log: Log): Promise<void> {
  if (await isDistributed(client)) await distributeIn(client, log)
}

/** May be repeated: does what is left to do. */
async function distributeIn(client: Client, log: Log): Promise<Distribution> {
  await assertCluster(client)
  return oneAtATime(client, () => distributeAll(client, log))
}

async function distributeAll(client: Client, log: Log): Promise<Distribution> {
  // A copy of a database that is distributed has the schema, but perhaps no right to make one.
  if (!(await isDistributed(client))) await client.query(`create schema titular_distribution`)
  await client.query(
    `create table if not exists ${ASIDE} (
       "table" text, name text, definition text not null, primary key ("table", name))`,
  )
  await makeFunctions(client)
  await makePolicyStore(client)
  const waiting = await undistributed(client)
  const copied = await uncopied(client)
  await setForeignKeysAside(client, [...waiting, ...copied])
  for (const table of waiting) {
    await distributeTable(client, table)
    log.info(`Distributed ${table}.`)
  }
  for (const table of copied) await client.query('select create_reference_table($1)', [table])
  await distributeFunctions(client)
  await client.query('begin')
  await foldNewPolicies(client)
  await client.query('commit')
  const lost = await bringForeignKeysBack(client)
  await openShards(client)
  return { distributed: waiting, lost }
}

async function assertCluster(client: Client): Promise<void> {
  if (!(await hasCitus(client)))
    throw new StartupError('The database is no Citus cluster: create extension citus, and add its nodes.')
  const { rowCount } = await client.query(`select 1 from pg_dist_node where shouldhaveshards and isactive`)
  if (rowCount === 0) throw new StartupError('No node of the cluster takes shards: select citus_add_node(host, port);')
}

/** In an order that repeats itself; the table that the others lie beside comes first. */
async function undistributed(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        and a.attname = 'organization_id' and a.attnotnull
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1)
        and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)
      order by c.relname <> $2, c.relname`,
    [Object.keys(LOCAL_TABLES), FIRST],
  )
  return rows.map(({ name }) => name)
}

/** Citus distributes no table that has a foreign key to one that is not distributed yet. */
async function setForeignKeysAside(client: Client, tables: readonly string[]): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query<{ table: string; name: string }>(
    `insert into ${ASIDE} ("table", name, definition)
     select f.relname, o.conname, pg_get_constraintdef(o.oid)
       from pg_constraint o join pg_class f on f.oid = o.conrelid join pg_class r on r.oid = o.confrelid
      where o.contype = 'f' and o.conparentid = 0 and f.relnamespace = 'public'::regnamespace
        and (f.relname = any($1) or r.relname = any($1))
     returning "table", name`,
    [tables],
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${escapeIdentifier(table)} drop constraint ${escapeIdentifier(name)}`)
  await client.query('commit')
}

/** The rows that are there are copied to the shards, which a forced policy would keep from the owner. */
async function distributeTable(client: Client, table: string): Promise<void> {
  const name = escapeIdentifier(table)
  await client.query('begin')
  await client.query(`alter table ${name} no force row level security`)
  await foldPolicies(client, table)
  await relaxKey(client, table)
  await client.query(`select create_distributed_table($1, 'organization_id', colocate_with => $2)`, [
    table,
    table === FIRST ? 'none' : FIRST,
  ])
  await client.query(`alter table ${name} force row level security`)
  await client.query('commit')
  await client.query('select truncate_local_data_after_distributing_table($1)', [table])
}

async function uncopied(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select t.name from unnest($1::text[]) t (name) where not exists (
       select 1 from pg_dist_partition p where p.logicalrelid = to_regclass(t.name))`,
    [REFERENCE_TABLES],
  )
  return rows.map(({ name }) => name)
}

async function relaxKey(client: Client, table: string): Promise<void> {
  const column = MADE_UNIQUE[table]
  if (column === undefined) return
  await client.query(`drop index ${table}_${column}`)
  await client.query(`create index ${table}_${column} on ${table} (${column})`)
}

async function bringForeignKeysBack(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string; isKept: boolean }>(
    `select k."table", k.name, k.definition,
            case p.partmethod when 'h' then q.logicalrelid is not null
                 else p.partmethod is not distinct from q.partmethod end as "isKept"
       from ${ASIDE} k
       left join pg_dist_partition p on p.logicalrelid = to_regclass(k."table")
       left join pg_dist_partition q on q.logicalrelid = to_regclass(substring(k.definition from 'REFERENCES (\\w+)'))
      order by 1, 2`,
  )
  for (const { table, name, definition } of rows.filter(({ isKept }) => isKept)) {
    await client.query('begin')
    await client.query(`alter table ${escapeIdentifier(table)} add constraint ${escapeIdentifier(name)} ${definition}`)
    await client.query(`delete from ${ASIDE} where "table" = $1 and name = $2`, [table, name])
    await client.query('commit')
  }
  return rows.filter(({ isKept }) => !isKept).map(({ table, name }) => `${table}.${name}`)
}
