// A database for one test file: a clone of the migrated template, with a connection of the superuser.
import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { inject } from 'vitest'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { succeeds, until } from './until.ts'
import type { Logins } from '#kernel/database/database.ts'
import { TELLS_NODES } from '../../src/postgres/roles.ts'

/** Tests join without naming the organization. */
const ACROSS_SHARDS = '-c citus.enable_repartition_joins=on'

export type TestDatabase = {
  url: string
  /** Queries as the superuser: to set a scene, and to read what HTTP does not answer. */
  query: <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>
  drop: () => Promise<void>
}

export const cloneDatabase = (): Promise<TestDatabase> => createDatabase(inject('postgres').template)

/** An empty database, before the first migration. */
export const emptyDatabase = (): Promise<TestDatabase> => createDatabase('template0')

async function createDatabase(template: string): Promise<TestDatabase> {
  const { url, nodes } = inject('postgres')
  const name = `t_${randomBytes(6).toString('hex')}`
  for (const node of nodes) await administer(node, `create database ${name} template ${template}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return databaseAt(
    own.href,
    async () => {
      // Somebody may connect again while it is emptied, as the nodes of a cluster do.
      for (const node of nodes) await succeeds(() => administer(node, `drop database if exists ${name} with (force)`))
    },
    nodes.length > 1 ? ACROSS_SHARDS : undefined,
  )
}

/** A database that is there already. */
export function databaseAt(url: string, drop: () => Promise<void> = async () => {}, options?: string): TestDatabase {
  const pool = new Pool({ connectionString: url, max: 3, types: typeParsers, ...(options && { options }) })
  pool.on('error', () => {})
  return {
    url,
    query: async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[],
    drop: async () => {
      await pool.end()
      await drop()
    },
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Waits until so many statements wait for the lock of another transaction. */
export async function somebodyWaits({ url }: TestDatabase, count = 1): Promise<void> {
  const { pathname } = new URL(url)
  const databases = inject('postgres').nodes.map((node) => databaseAt(new URL(pathname, node).href))
  const waiting = async () => {
    const found = await Promise.all(
      databases.map(({ query }) =>
        query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      ),
    )
    return found.flat()
  }
  try {
    await until(waiting, (rows) => rows.length >= count)
  } finally {
    for (const { drop } of databases) await drop()
  }
}

/** In a transaction that has set `app.…` itself, as requests and jobs do. */
export async function tellNodes(client: Client): Promise<void> {
  if (!inject('postgres').isDistributed) return
  await client.query(`set local ${TELLS_NODES} = 'local'; select titular_distribution.tell_nodes()`)
}

/** For tests that need no role: the superuser, whatever the statements are run as. */
export const loginsTo = (connectionString: string): Logins => ({
  titular_app: { connectionString },
  titular_system: { connectionString },
})
