// The apps of a worker, from one test file to the next: what most of a file's time went to was to compose the service, to
// prepare its statements and to compile what its requests run. Each file gets an installation without a row or a mail of another.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp, TestAppOptions } from './app.ts'
import type { Ports } from '#kernel/data/context.ts'
import type { TestDatabase } from './database.ts'
import { createWorld } from './world.ts'

/** `checkTests` throws what the requests since its last call did wrong. */
export type MadeApp = { app: TestApp; checkTests: () => Promise<void>; isFresh: () => boolean }

type KeptApp = MadeApp & { key: string; state: Fresh }
/** What an installation is set back to. */
type Fresh = { schema: string; tables: string[]; rows: Map<string, string>; files: Set<string>; ports: Ports }

const MOST_KEPT = 3

/** Counters: those who read on would miss what comes after a smaller one. */
const KEPT_ON = ['schema_migrations', 'event_positions', 'job_turns']

const kept: KeptApp[] = []

/**
 * Null for options that change how the app is composed, with limits, whose counts are in memory, too, and for what
 * listens:
 * its sandboxes remember what they were sent.
 */
export function keyOf({ environment = {}, drawsNothing = false, ...others }: TestAppOptions): string | null {
  if (Object.keys(others).length > 0 || Object.keys(environment).some((name) => name.startsWith('LIMIT_'))) return null
  return JSON.stringify([
    drawsNothing,
    Object.entries(environment).toSorted(([one], [other]) => one.localeCompare(other)),
  ])
}

/** Its `close` keeps it for the next file. */
export async function takeApp(key: string, make: () => Promise<MadeApp>): Promise<TestApp> {
  const index = kept.findIndex((one) => one.key === key)
  const [found] = index < 0 ? [] : kept.splice(index, 1)
  if (found) {
    await empty(found)
    return lent(found)
  }
  const made = await make()
  return lent({ ...made, key, state: await freshOf(made.app) })
}

function lent(one: KeptApp): TestApp {
  const { service, database, clock } = one.app
  const world = createWorld({ app: service.app, database, accessTokens: service.ports.accessTokens, clock })
  return { ...one.app, world, close: () => giveBack(one) }
}

async function giveBack(one: KeptApp): Promise<void> {
  const { app, checkTests, isFresh, state } = one
  const { service, database } = app
  if (!isFresh()) return app.close()
  await service.worker.stop()
  await service.refusals.flush()
  await service.lastUses.flush()
  const hasItsPorts = Object.entries(state.ports).every(([name, port]) =>
    Object.entries(service.ports).some(([own, now]) => own === name && now === port),
  )
  if (!hasItsPorts || (await schemaOf(database)) !== state.schema) return app.close()
  await checkTests()
  kept.push(one)
  if (kept.length > MOST_KEPT) await kept.shift()?.app.close()
}

async function empty({ app, state }: KeptApp): Promise<void> {
  const { database, clock, dataDir, log } = app
  clock.now = new Date()
  log.length = 0
  const deletes = state.tables.map((table) => `delete from ${table};`).join('\n')
  const inserts = [...state.rows].map(
    ([table, rows]) =>
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $rows$${rows}$rows$);`,
  )
  // The triggers that forbid to delete do not run.
  await database.query(`begin; set local session_replication_role = replica; ${deletes} ${inserts.join('\n')} commit`)
  for (const file of await filesIn(dataDir)) if (!state.files.has(file)) await rm(file)
}

async function freshOf(app: TestApp): Promise<Fresh> {
  const { database, dataDir } = app
  const found = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> all($1)`,
    [KEPT_ON],
  )
  const tables = found.map(({ name }) => name)
  const rows = new Map<string, string>()
  for (const table of tables) {
    const [all] = await database.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`)
    if (all?.rows) rows.set(table, all.rows)
  }
  const files = new Set(await filesIn(dataDir))
  return { schema: await schemaOf(database), tables, rows, files, ports: { ...app.service.ports } }
}

const filesIn = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
}

/** Changes with every statement that changes the schema: such a file's app is not kept. */
async function schemaOf(database: TestDatabase): Promise<string> {
  const sums = ['pg_proc', 'pg_trigger', 'pg_constraint', 'pg_policy', 'pg_attribute', 'pg_namespace'].map(
    (catalogue) => `(select count(*) || ' ' || sum(xmin::text::bigint) from ${catalogue})`,
  )
  const [found] = await database.query<{ schema: string }>(`select concat_ws(' ', ${sums.join(', ')}) as schema`)
  return found?.schema ?? ''
}
