// What PostgreSQL reads for a statement of the service, as its roles run it.
import type { Client } from 'pg'
import pgUtils from 'pg/lib/utils.js'
import { prepare, type Statement } from '#kernel/values/sql.ts'
import { sessionOptions, type APP, type SYSTEM } from '../../src/postgres/roles.ts'

export type Asking = {
  role: typeof APP | typeof SYSTEM
  organizationId: number
  userId: number
  /** Connections use both: a plan for the values, and one for any values. */
  mode: 'force_custom_plan' | 'force_generic_plan'
}

export type Reading = {
  /** Rows that were looked at, in tables and indexes, whether they are in the result or not. */
  rows: number
  /** Tables that were read as a whole, with more than a hundred rows. */
  scanned: string[]
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

/** The options of a connection for `explain`. */
export const optionsOf = (role: Asking['role']): string => sessionOptions(role)

export const explain = (client: Client, statement: Statement, asking: Asking): Promise<Reading> =>
  planned(client, statement, asking, async (execute) => {
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${execute}`)
    return readingOf(rows[0]['QUERY PLAN'][0].Plan)
  })

/** On a cluster: the most shards that a part of the statement visits; 0 when it reads tables of the coordinator only. */
export const shardsVisited = (client: Client, statement: Statement, asking: Asking): Promise<number> =>
  planned(client, statement, asking, async (execute) => {
    const { rows } = await client.query(`explain (format json) ${execute}`)
    return Math.max(0, ...tasksOf(rows[0]['QUERY PLAN']))
  })

async function planned<Result>(
  client: Client,
  statement: Statement,
  { organizationId, userId, mode }: Asking,
  ask: (execute: string) => Promise<Result>,
): Promise<Result> {
  const { text, values } = prepare(statement)
  const literals = values.map((value) => {
    const given = pgUtils.prepareValue(value)
    if (given === null) return 'null'
    return client.escapeLiteral(Buffer.isBuffer(given) ? `\\x${given.toString('hex')}` : given)
  })
  await client.query('begin')
  try {
    const set = { organization_id: organizationId, user_id: userId, staff: '', scopes: '*', role: 'owner' }
    for (const [name, value] of Object.entries(set))
      await client.query('select set_config($1, $2, true)', [`app.${name}`, String(value)])
    await client.query(`set local plan_cache_mode = ${mode}; prepare asked as ${text}`)
    return await ask(`execute asked${literals.length > 0 ? `(${literals.join(', ')})` : ''}`)
  } finally {
    await client.query('rollback; deallocate all')
  }
}

/** Of all parts of a distributed plan: Citus has a task for each shard. */
function* tasksOf(plan: unknown): Generator<number> {
  if (typeof plan !== 'object' || plan === null) return
  for (const [name, value] of Object.entries(plan)) {
    if (name === 'Task Count') yield Number(value)
    else yield* tasksOf(value)
  }
}

function readingOf(plan: Node): Reading {
  const read = [...nodesOf(plan)].filter((node) => node['Relation Name'] !== undefined)
  const scanned = read.filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) > 100)
  return {
    rows: Math.round(read.reduce((sum, node) => sum + rowsOf(node), 0)),
    scanned: scanned.map((node) => node['Relation Name'] ?? ''),
  }
}

const rowsOf = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops']

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const child of node.Plans ?? []) yield* nodesOf(child)
}
