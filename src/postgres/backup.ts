// Copies all tables into one file, as of one moment.
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import type { Client } from 'pg'
import { escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type BackupHeader, type BackupTable, writeBackup } from './backup-file.ts'
import { isDistributed } from './citus/cluster.ts'
import { listOf, assertSeesAllRows, sequencesOf, tablesOf } from './catalogue.ts'
import { asOwner } from './login.ts'
import { migrationsRun } from './migrate.ts'
import { StartupError } from './startup-error.ts'

/** Each node of a cluster reads as of a moment of its own, also in one transaction. */
const HAS_NO_MOMENT =
  'The database is distributed, so that no copy of its tables is as of one moment: take a base backup of ' +
  'each node, and a common point by citus_create_restore_point (docs/scaling.md).'

// Returns the header, so that the caller can report what the file holds.
export async function backup({ ownerUrl, file }: { ownerUrl: string; file: string }): Promise<BackupHeader> {
  return asOwner(ownerUrl, async (client) => {
    // Locked before the snapshot, so that no migration changes a table between listing and copying it.
    await client.query('select pg_advisory_lock_shared($1)', [PG_MIGRATE_LOCK_ID])
    await client.query('begin isolation level repeatable read, read only')
    if (await isDistributed(client)) throw new StartupError(HAS_NO_MOMENT)
    await assertSeesAllRows(client)
    const header = await describe(client)
    await writeBackup(file, header, (table) => rowsOf(client, table))
    await client.query('commit')
    return header
  })
}

async function describe(client: Client): Promise<BackupHeader> {
  const migrations = await migrationsRun(client)
  if (migrations.length === 0) throw new StartupError('The database was never migrated: there is nothing to back up.')
  const tables: BackupTable[] = []
  for (const { name, columns } of await tablesOf(client)) {
    const count = `select count(*)::int8::text as rows from public.${escapeIdentifier(name)}`
    const { rows } = await client.query<{ rows: string }>(count)
    tables.push({ name, columns, rows: Number(rows[0]?.rows) })
  }
  const sequences = (await sequencesOf(client)).map(({ name, last }) => [name, last])
  const { rows } = await client.query<{ postgres: string; made_at: Date }>(
    `select current_setting('server_version') as postgres, now() as made_at`,
  )
  const [server] = rows
  return {
    format: 'titular-backup',
    version: 1,
    made_at: (server?.made_at ?? new Date()).toISOString(),
    postgres: server?.postgres ?? '',
    migrations,
    tables,
    sequences: Object.fromEntries(sequences),
  }
}

// COPY's text format, which is the same in every version of PostgreSQL.
async function* rowsOf(client: Client, { name, columns }: BackupTable): AsyncIterable<Buffer> {
  const copy = copyTo(`copy public.${escapeIdentifier(name)} (${listOf(columns)}) to stdout`)
  try {
    for await (const chunk of client.query(copy)) yield chunk
  } finally {
    // When the copy is abandoned, for instance because of a full disk, the connection would wait for ever to be read.
    if (!copy.readableEnded) client.connection.stream.destroy()
  }
}
