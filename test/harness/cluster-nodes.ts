// The nodes of a cluster: `CITUS_URL` is the superuser's URL of a database on the coordinator that knows them.
import { Client } from 'pg'

/** The coordinator's URL first. */
export async function nodesOf(url: string): Promise<string[]> {
  const rows = await ask<{ nodename: string; nodeport: number }>(
    url,
    'select nodename, nodeport from pg_dist_node where isactive order by groupid',
  )
  return rows.map(({ nodename, nodeport }) => {
    const node = new URL(url)
    node.hostname = nodename
    node.port = String(nodeport)
    return node.href
  })
}

export function databaseAt(url: string, database: string): string {
  const own = new URL(url)
  own.pathname = `/${database}`
  return own.href
}

/** The database of that name on each node becomes one cluster's. They exist; the first is the coordinator. */
export async function joinNodes(nodes: readonly string[], database: string): Promise<void> {
  for (const node of nodes) await ask(databaseAt(node, database), 'create extension citus')
  const [coordinator = '', ...workers] = nodes
  const own = databaseAt(coordinator, database)
  await ask(own, `select citus_set_coordinator_host(${address(coordinator)})`)
  for (const worker of workers) await ask(own, `select citus_add_node(${address(worker)})`)
}

const address = (node: string) => `'${new URL(node).hostname}', ${new URL(node).port}`

/** One statement on a connection of its own. */
export async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}
