// Moves an organization to another node of the cluster while it is used.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { OWNER } from '../roles.ts'
import { StartupError } from '../startup-error.ts'
import { hasCitus, type Shard, shardsOf } from './cluster.ts'
import { openShards } from './policies.ts'

export type Move = { organizationId: number; to: { host: string; port: number }; isAlone: boolean }
export type MoveResult = { shard: string; from: string; to: string }

const TABLE = 'events'
const CLEANING_ATTEMPTS = 20
const CLEANING_MS = 500

/**
 * `isAlone`: it first gets a shard to itself; else those that share its shard go with it. Writes of the organizations
 * concerned wait a moment at the end of each step; nothing is lost, since the rows are copied by logical replication.
 */
export async function moveOrganization(client: Client, { organizationId, to, isAlone }: Move): Promise<MoveResult> {
  if (!(await hasCitus(client))) throw new StartupError('The database is no Citus cluster.')
  await assertNode(client, to)
  await assertReadsAllRows(client)
  // Replication writes as the owner of the tables, whom forced row-level security would stop.
  await client.query(`alter role ${OWNER} bypassrls`)
  try {
    return await copied(client, { organizationId, to, isAlone })
  } finally {
    await client.query(`alter role ${OWNER} nobypassrls`)
  }
}

async function copied(client: Client, { organizationId, to, isAlone }: Move): Promise<MoveResult> {
  let id = await shardIdOf(client, organizationId)
  if (isAlone && !(await isAloneIn(client, id))) {
    const { rows } = await client.query<{ id: string }>(
      `select isolate_tenant_to_new_shard('${TABLE}', $1::bigint, 'CASCADE', 'force_logical') as id`,
      [organizationId],
    )
    id = rows[0]?.id ?? id
  }
  const shard = (await shardsOf(client)).find((one) => one.table === TABLE && one.id === id)
  if (!shard) throw new StartupError(`Organization ${organizationId} has no shard: run titular migrate --distribute.`)
  if (!isAt(shard, to))
    await whenCleanedUp(client, () =>
      client.query(`select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, 'force_logical')`, [
        id,
        shard.node,
        shard.port,
        to.host,
        to.port,
      ]),
    )
  await openShards(client)
  return { shard: shard.shard, from: `${shard.node}:${shard.port}`, to: `${to.host}:${to.port}` }
}

/** Citus drops what an earlier move has left behind when nobody uses it, and does not copy to the same place before. */
async function whenCleanedUp(client: Client, move: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await move())
    } catch (error) {
      const isLeftOver = error instanceof Error && error.message.includes('leftover from the previous move')
      if (!isLeftOver || attempt === CLEANING_ATTEMPTS) throw error
      await sleep(CLEANING_MS)
      await client.query('call citus_cleanup_orphaned_resources()')
    }
  }
}

const isAt = ({ node, port }: Shard, to: Move['to']): boolean => node === to.host && port === to.port

async function assertNode(client: Client, { host, port }: Move['to']): Promise<void> {
  const { rows } = await client.query<{ node: string; is: boolean }>(
    `select nodename || ':' || nodeport as node, nodename = $1 and nodeport = $2 as is from pg_dist_node
      where shouldhaveshards and isactive order by 1`,
    [host, port],
  )
  if (rows.some(({ is }) => is)) return
  throw new StartupError(`${host}:${port} takes no shards. Those that do: ${rows.map(({ node }) => node).join(', ')}.`)
}

/** Forced row-level security would keep the rows from the owner of the tables. */
async function assertReadsAllRows(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; may: boolean }>(
    'select session_user as name, rolsuper as may from pg_roles where rolname = session_user',
  )
  if (rows[0]?.may !== true)
    throw new StartupError(
      `Copying shards takes a superuser, which ${rows[0]?.name} is not: set DATABASE_OWNER_URL to the ` +
        'login of one for this command.',
    )
}

async function shardIdOf(client: Client, organizationId: number): Promise<string> {
  const { rowCount } = await client.query('select 1 from organizations where id = $1', [organizationId])
  if (rowCount === 0) throw new StartupError(`There is no organization ${organizationId}.`)
  const { rows } = await client.query<{ id: string }>(
    `select get_shard_id_for_distribution_column('${TABLE}', $1::bigint) as id`,
    [organizationId],
  )
  return rows[0]?.id ?? ''
}

/** A shard of one organization has a range of one hash. */
async function isAloneIn(client: Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from pg_dist_shard where shardid = $1 and shardminvalue = shardmaxvalue',
    [id],
  )
  return rowCount !== 0
}
