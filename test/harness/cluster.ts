// The suite on a cluster, which is given by `CITUS_URL`.
import type { TestProject } from 'vitest/node'
import { join } from 'node:path'
import { distribute } from '../../src/postgres/citus/distribute.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { ask, databaseAt, joinNodes, nodesOf } from './cluster-nodes.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
/** Two runs may share a cluster. */
const TEMPLATE = `titular_template_${process.pid}`

export async function setUpCluster(project: TestProject, url: string): Promise<() => Promise<void>> {
  const nodes = await nodesOf(url)
  const [coordinator] = nodes
  if (coordinator === undefined || nodes.length === 1) throw new Error('CITUS_URL names no cluster with workers.')
  for (const node of nodes) await ask(node, `create database ${TEMPLATE}`)
  await joinNodes(nodes, TEMPLATE)
  const template = databaseAt(coordinator, TEMPLATE)
  await migrate({ ownerUrl: template, directory: join(import.meta.dirname, '../../migrations'), log: quiet })
  await distribute({ ownerUrl: template, log: quiet })
  // A database with connections cannot be cloned, those between the nodes included.
  for (const node of nodes) {
    await ask(node, `alter database ${TEMPLATE} with allow_connections false`)
    await ask(node, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`)
  }
  project.provide('postgres', { url, nodes, template: TEMPLATE, isDistributed: true })
  return async () => {
    for (const node of nodes) await ask(node, `drop database ${TEMPLATE} with (force)`)
  }
}
