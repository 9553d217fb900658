// Loads a backup into an empty database: the schema of its day, its rows, and counters moved on by a margin.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type BackupHeader, checkBackup, readBackup } from './backup-file.ts'
import { foreignKeysOf, listOf, sequencesOf, type Table, tablesOf } from './catalogue.ts'
import type { Log } from './log.ts'
import { asOwner, withLogin } from './login.ts'
import { migrate, migrationsIn } from './migrate.ts'
import { StartupError } from './startup-error.ts'

// What was handed out after the backup and is lost with the database must never be handed out again.
export const MARGIN = 1_000

export type RestoreOptions = { ownerUrl: string; file: string; migrationsDirectory: string; log: Log }

export async function restore({ ownerUrl, file, migrationsDirectory, log }: RestoreOptions): Promise<BackupHeader> {
  const header = await checkBackup(file)
  await assertSameMigrations(header, migrationsDirectory)
  await withLogin(ownerUrl, assertEmpty)
  await migrate({ ownerUrl, directory: migrationsDirectory, log, count: header.migrations.length })
  await asOwner(ownerUrl, async (client) => {
    await client.query('begin')
    try {
      await load(client, file, header)
      await moveSequences(client, header)
      await moveCodes(client, header)
      await openSeries(client)
      await client.query('commit')
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new StartupError(`Nothing was restored: ${reason}. Make a new database before you try again.`, { cause })
    }
    await client.query('analyze')
  })
  return header
}

async function assertSameMigrations(header: BackupHeader, directory: string): Promise<void> {
  const known = (await migrationsIn(directory)).slice(0, header.migrations.length)
  const unknown = header.migrations.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new StartupError(
    `The backup is from a newer version (it has ${unknown.join(', ')}): restore with that version.`,
  )
}

async function assertEmpty(client: Client): Promise<void> {
  const [table] = await tablesOf(client)
  if (table) throw new StartupError(`The database is not empty (it has ${table.name}): restore into a new one.`)
}

async function load(client: Client, file: string, header: BackupHeader): Promise<void> {
  const tables = await tablesOf(client)
  const [here, there] = [tables.map(shapeOf), header.tables.map(shapeOf)]
  const odd = [...here.filter((table) => !there.includes(table)), ...there.filter((table) => !here.includes(table))]
  if (odd.length > 0)
    throw new StartupError(`the tables of the backup are not those of its migrations: ${odd.join(', ')}`)
  await unbound(client, tables, async () => {
    await readBackup(file, async ({ name, columns }, chunks) => {
      const copy = client.query(copyFrom(`copy public.${escapeIdentifier(name)} (${listOf(columns)}) from stdin`))
      await pipeline(Readable.from(chunks), copy)
    })
  })
}

const shapeOf = ({ name, columns }: { name: string; columns: string[] }) => `${name} (${listOf(columns)})`

// No order of loading satisfies every foreign key (some go round), and COPY refuses a table whose row-level security
// binds its writer. Both are lifted and put back in the one transaction; putting a key back checks every row.
async function unbound(client: Client, tables: Table[], work: () => Promise<void>): Promise<void> {
  const keys = await foreignKeysOf(client)
  const forced = tables.filter((table) => table.isForced)
  for (const { table, name } of keys) await alter(client, table, `drop constraint ${escapeIdentifier(name)}`)
  for (const { name } of forced) await alter(client, name, 'no force row level security')
  // Rows that migrations wrote are in the backup too, as they were last.
  await client.query(`truncate ${tables.map((table) => `public.${escapeIdentifier(table.name)}`).join(', ')}`)
  await work()
  for (const { name } of forced) await alter(client, name, 'force row level security')
  for (const { table, name, definition } of keys) {
    await alter(client, table, `add constraint ${escapeIdentifier(name)} ${definition}`)
  }
}

async function alter(client: Client, table: string, change: string): Promise<void> {
  await client.query(`alter table public.${escapeIdentifier(table)} ${change}`)
}

async function moveSequences(client: Client, header: BackupHeader): Promise<void> {
  for (const { name, table, column } of await sequencesOf(client)) {
    const highest =
      table && column ? `(select max(${escapeIdentifier(column)}) from public.${escapeIdentifier(table)})` : 'null'
    const last = escapeLiteral(header.sequences[name] ?? '0')
    const sequence = escapeLiteral(`public.${escapeIdentifier(name)}`)
    await client.query(`select setval(${sequence}, greatest(${last}::bigint, ${highest}) + ${MARGIN})`)
  }
}

// Codes may have gaps but no repetition.
async function moveCodes(client: Client, header: BackupHeader): Promise<void> {
  const counters = (await tablesOf(client)).find((table) => table.name === 'code_counters')
  if (!counters?.columns.includes('last')) return
  await client.query(`update public.code_counters set last = last + ${MARGIN}`)
  if (!counters.columns.includes('prefix') || !counters.columns.includes('period')) return
  // Months and years that began after the backup have no row yet, although codes were handed out in them.
  await client.query(
    `insert into public.code_counters (prefix, period, last)
     select distinct c.prefix, to_char(month, f.form), ${MARGIN}
     from public.code_counters c
     join (values ('^\\d{4}$', 'YYYY'), ('^\\d{6}$', 'YYYYMM'), ('^\\d{4}-\\d{2}$', 'YYYY-MM')) as f (shape, form)
       on c.period ~ f.shape,
     generate_series(date_trunc('month', $1::timestamptz at time zone 'UTC'), now() at time zone 'UTC', '1 month') as month
     on conflict do nothing`,
    [header.made_at],
  )
}

// Numbers that must have no gap cannot be moved on, and may not come again either: a new series begins.
async function openSeries(client: Client): Promise<void> {
  const series = (await tablesOf(client)).find((table) => table.name === 'number_series')
  if (!series?.columns.includes('opened')) return
  await client.query(`
    insert into public.number_series (document, company, series, opened, last)
    select distinct on (document, company) document, company, regexp_replace(series, '\\d+$', '') || (opened + 1), opened + 1, 0
      from public.number_series order by document, company, opened desc`)
}
