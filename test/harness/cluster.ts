// The suite on a cluster: `CITUS_URL` is the superuser's URL of a database on the coordinator that knows its nodes.
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { join } from 'node:path'
import { distribute } from '../../src/postgres/citus/distribute.ts'
import { migrate } from '../../src/postgres/migrate.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
/** Two runs may share a cluster. */
const TEMPLATE = `titular_template_${process.pid}`

export async function setUpCluster(project: TestProject, url: string): Promise<() => Promise<void>> {
  const [coordinator, ...workers] = await nodesOf(url)
  if (coordinator === undefined || workers.length === 0) throw new Error('CITUS_URL names no cluster with workers.')
  const nodes = [coordinator, ...workers]
  for (const node of nodes) {
    await run(node, `create database ${TEMPLATE}`)
    await run(at(node, TEMPLATE), 'create extension citus')
  }
  const template = at(coordinator, TEMPLATE)
  await run(template, `select citus_set_coordinator_host(${address(coordinator)})`)
  for (const worker of workers) await run(template, `select citus_add_node(${address(worker)})`)
  await migrate({ ownerUrl: template, directory: join(import.meta.dirname, '../../migrations'), log: quiet })
  await distribute({ ownerUrl: template, log: quiet })
  // A database with connections cannot be cloned, those between the nodes included.
  for (const node of nodes) {
    await run(node, `alter database ${TEMPLATE} with allow_connections false`)
    await run(node, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`)
  }
  project.provide('postgres', { url, nodes, template: TEMPLATE, isDistributed: true })
  return async () => {
    for (const node of nodes) await run(node, `drop database ${TEMPLATE} with (force)`)
  }
}

const address = (node: string) => `'${new URL(node).hostname}', ${new URL(node).port}`

/** The coordinator's URL first. */
async function nodesOf(url: string): Promise<string[]> {
  const rows = await run<{ nodename: string; nodeport: number }>(
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

function at(url: string, database: string): string {
  const own = new URL(url)
  own.pathname = `/${database}`
  return own.href
}

async function run<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}
