// Starts one embedded PostgreSQL for the whole run, with a migrated template that each test file clones.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded, THROWAWAY } from '../../src/postgres/embedded.ts'
import { setUpCluster } from './cluster.ts'
import { migrate } from '../../src/postgres/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * `url` is the superuser's; `template` is the database to clone. `nodes` are the same URL at each node of a cluster, which
     * is given by `CITUS_URL`.
     */
    postgres: { url: string; nodes: string[]; template: string; isDistributed: boolean }
    /** A directory that is removed at the end: kept apps (kept-apps.ts) are never closed. */
    home: string
  }
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'titular-test-'))
  project.provide('home', home)
  const cluster = process.env['CITUS_URL']
  const stop = cluster === undefined ? await startServer(project, home) : await setUpCluster(project, cluster)
  return async () => {
    await stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function startServer(project: TestProject, home: string): Promise<() => Promise<void>> {
  const dataDir = join(home, 'postgres')
  const server = await startEmbedded({ dataDir, log: quiet, settings: { ...THROWAWAY, max_connections: '200' } })
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query('create database titular_template')
  await client.end()
  const template = server.urlFor('titular_template')
  await migrate({ ownerUrl: template, directory: join(import.meta.dirname, '../../migrations'), log: quiet })
  project.provide('postgres', {
    url: server.url,
    nodes: [server.url],
    template: 'titular_template',
    isDistributed: false,
  })
  return () => server.stop()
}
