// Records the checksum of each migration's file when it ran, and refuses a file that was changed since.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { StartupError } from './startup-error.ts'

type RecordedChecksum = { name: string; sha256: string | null }

/** To be called before any migration runs. A migration without a file is refused elsewhere. */
export async function assertUnchanged(client: Client, directory: string): Promise<void> {
  const recorded = await recordedChecksums(client)
  const checksums = await Promise.all(recorded.map(({ name }) => checksumOf(directory, name)))
  const changed = recorded.filter(
    ({ sha256 }, index) => sha256 !== null && ![undefined, sha256].includes(checksums[index]),
  )
  if (changed.length === 0) return
  throw new StartupError(
    'Migrations were changed after they ran: ' +
      `${changed.map(({ name }) => `${directory}/${name}.sql`).join(', ')}. Put them back as they were ` +
      'released (SHA256SUMS beside them has the checksums); what the schema needs now is a new migration.',
  )
}

/** Migrations that have run since the last time get the checksum of their file. */
export async function recordChecksums(client: Client, directory: string): Promise<void> {
  const without = (await recordedChecksums(client)).filter(({ sha256 }) => sha256 === null)
  const checksums = await Promise.all(without.map(({ name }) => checksumOf(directory, name)))
  const found = without.flatMap(({ name }, index) => (checksums[index] ? [{ name, sha256: checksums[index] }] : []))
  if (found.length === 0) return
  await client.query(
    `update public.schema_migrations m set sha256 = f.sha256
       from json_to_recordset($1) f (name text, sha256 text) where m.name = f.name and m.sha256 is null`,
    [JSON.stringify(found)],
  )
}

/** Empty until the first migration, which adds the column, has run. */
async function recordedChecksums(client: Client): Promise<RecordedChecksum[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select exists (select 1 from pg_attribute where attrelid = to_regclass('public.schema_migrations')
                     and attname = 'sha256' and not attisdropped)`,
  )
  if (!rows[0]?.exists) return []
  return (await client.query<RecordedChecksum>('select name, sha256 from public.schema_migrations order by name')).rows
}

async function checksumOf(directory: string, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(directory, `${name}.sql`)).catch(() => undefined)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}
