// The checksum of each migration's file as it ran, and the refusal to go on with another one of the same name.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { StartupError } from './startup-error.ts'

type Kept = { name: string; sha256: string | null }

/** To be asked before anything runs. A name without a file is another refusal's matter. */
export async function assertUnchanged(client: Client, directory: string): Promise<void> {
  const kept = await keptSums(client)
  const sums = await Promise.all(kept.map(({ name }) => sumOf(directory, name)))
  const changed = kept.filter(({ sha256 }, index) => sha256 !== null && ![undefined, sha256].includes(sums[index]))
  if (changed.length === 0) return
  throw new StartupError(
    `Migrations were changed after they ran: ${changed.map(({ name }) => `${directory}/${name}.sql`).join(', ')}. Put them back as they were released (SHA256SUMS beside them has the sums); what the schema needs now is a new migration.`,
  )
}

/** Of migrations that ran before there was a place for it, too: what is there now counts as what ran. */
export async function keepChecksums(client: Client, directory: string): Promise<void> {
  for (const { name, sha256 } of await keptSums(client)) {
    const sum = sha256 === null ? await sumOf(directory, name) : undefined
    if (sum === undefined) continue
    await client.query('update public.schema_migrations set sha256 = $2 where name = $1 and sha256 is null', [
      name,
      sum,
    ])
  }
}

/** None before the migration that makes room for them. */
async function keptSums(client: Client): Promise<Kept[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select exists (select from pg_attribute where attrelid = to_regclass('public.schema_migrations')
                     and attname = 'sha256' and not attisdropped)`,
  )
  if (!rows[0]?.exists) return []
  return (await client.query<Kept>('select name, sha256 from public.schema_migrations order by name')).rows
}

async function sumOf(directory: string, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(directory, `${name}.sql`)).catch(() => undefined)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}
