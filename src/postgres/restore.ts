// Loads a backup into an empty database: the schema that it was made with, its rows, and counters advanced by a margin.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CODE_PERIODS } from '#kernel/data/codes.ts'
import { type BackupHeader, checkBackup, readBackup } from './backup-file.ts'
import { foreignKeysOf, listOf, sequencesOf, type Table, tablesOf } from './catalogue.ts'
import type { Log } from './log.ts'
import { asOwner, withLogin } from './login.ts'
import { assertReleased, migrate, migrationsIn } from './migrate.ts'
import { StartupError } from './startup-error.ts'

// Ids and codes that were given out after the backup are not in it; the margin keeps them from being reused.
export const MARGIN = 1_000
/** Events are many more between two backups, and receivers of webhooks pass over an event whose id they had before. */
export const EVENT_MARGIN = 1_000_000

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
      await advanceSequences(client, header)
      await advanceCodes(client, header)
      await advanceEvents(client)
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
  assertReleased('backup', header.migrations, known)
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
  const [ours, theirs] = [tables.map(shapeOf), header.tables.map(shapeOf)]
  const different = [
    ...ours.filter((table) => !theirs.includes(table)),
    ...theirs.filter((table) => !ours.includes(table)),
  ]
  if (different.length > 0)
    throw new StartupError(`the tables of the backup are not those of its migrations: ${different.join(', ')}`)
  await withoutConstraints(client, tables, async () => {
    await readBackup(file, async ({ name, columns }, chunks) => {
      const copy = client.query(copyFrom(`copy public.${escapeIdentifier(name)} (${listOf(columns)}) from stdin`))
      await pipeline(Readable.from(chunks), copy)
    })
  })
}

const shapeOf = ({ name, columns }: { name: string; columns: string[] }) => `${name} (${listOf(columns)})`

// Some foreign keys form circles, so no order of loading satisfies all; and COPY refuses a table whose row-level
// security applies to its writer. Both are removed and restored in one transaction; restored foreign keys are checked.
async function withoutConstraints(client: Client, tables: Table[], loadRows: () => Promise<void>): Promise<void> {
  const keys = await foreignKeysOf(client)
  const forced = tables.filter((table) => table.isForced)
  for (const { table, name } of keys) await alter(client, table, `drop constraint ${escapeIdentifier(name)}`)
  for (const { name } of forced) await alter(client, name, 'no force row level security')
  // Rows that migrations insert are in the backup too, in their last state.
  await client.query(`truncate ${tables.map((table) => `public.${escapeIdentifier(table.name)}`).join(', ')}`)
  await loadRows()
  for (const { name } of forced) await alter(client, name, 'force row level security')
  for (const { table, name, definition } of keys) {
    await alter(client, table, `add constraint ${escapeIdentifier(name)} ${definition}`)
  }
}

async function alter(client: Client, table: string, change: string): Promise<void> {
  await client.query(`alter table public.${escapeIdentifier(table)} ${change}`)
}

async function advanceSequences(client: Client, header: BackupHeader): Promise<void> {
  for (const { name, table, column } of await sequencesOf(client)) {
    const highest =
      table && column ? `(select max(${escapeIdentifier(column)}) from public.${escapeIdentifier(table)})` : 'null'
    const last = escapeLiteral(header.sequences[name] ?? '0')
    const sequence = escapeLiteral(`public.${escapeIdentifier(name)}`)
    const margin = table === 'events' ? EVENT_MARGIN : MARGIN
    await client.query(`select setval(${sequence}, greatest(${last}::bigint, ${highest}) + ${margin})`)
  }
}

const FORMS = { month: 'YYYYMM', year: 'YYYY' }

// Codes may have gaps but must not repeat.
async function advanceCodes(client: Client, header: BackupHeader): Promise<void> {
  const counters = (await tablesOf(client)).find((table) => table.name === 'code_counters')
  if (!counters) return
  // Imports made since may have taken codes of past months, which a repeated import is to give to the same records.
  await client.query(
    `update public.code_counters
        set passed_over = passed_over + int8multirange(int8range(last + 1, last + ${MARGIN} + 1))
      where period ~ '^\\d{6}$' and period < to_char($1::timestamptz at time zone 'UTC' - interval '1 day', 'YYYYMM')`,
    [header.made_at],
  )
  await client.query(`update public.code_counters set last = last + ${MARGIN}`)
  // What was counted for the first time after the backup, or in a month or year that began since, has no row.
  await client.query(
    `insert into public.code_counters (prefix, period, last)
     select distinct p.prefix, to_char(month, p.form), ${MARGIN}
     from (select c.prefix, f.form from public.code_counters c
             join (values ('^\\d{4}$', 'YYYY'), ('^\\d{6}$', 'YYYYMM'), ('^\\d{4}-\\d{2}$', 'YYYY-MM'))
                 as f (shape, form)
               on c.period ~ f.shape
           union select * from unnest($2::text[], $3::text[])) as p (prefix, form),
     generate_series(date_trunc('month', $1::timestamptz at time zone 'UTC'), now() at time zone 'UTC', '1 month')
         as month
     on conflict do nothing`,
    [header.made_at, Object.keys(CODE_PERIODS), Object.values(CODE_PERIODS).map((period) => FORMS[period])],
  )
}

// A reader of a feed that has got further than the backup would otherwise pass over the events that get its numbers
// again. Webhook endpoints that have all events go on with them, so that they do not look as if they lagged behind.
async function advanceEvents(client: Client): Promise<void> {
  const tables = (await tablesOf(client)).map(({ name }) => name)
  const has = (...names: string[]) => names.every((name) => tables.includes(name))
  const counters = [
    { table: 'event_sequences', last: 'last_sequence', of: 'q.organization_id = c.organization_id' },
    { table: 'event_positions', last: 'last_position', of: 'q.organization_id is null' },
  ]
  for (const { table, last, of } of counters.filter((counter) => has(counter.table))) {
    if (has('webhook_queues'))
      await client.query(`update public.webhook_queues q set cursor = q.cursor + ${EVENT_MARGIN}
        from public.${table} c where ${of} and q.cursor = c.${last}`)
    await client.query(`update public.${table} set ${last} = ${last} + ${EVENT_MARGIN}`)
  }
}

// Gapless numbers can neither be advanced nor reused, so a new series begins.
async function openSeries(client: Client): Promise<void> {
  const series = (await tablesOf(client)).find((table) => table.name === 'number_series')
  if (!series) return
  await client.query(`
    insert into public.number_series (document, company, series, opened, last)
    select distinct on (document, company) document, company, regexp_replace(series, '\\d+$', '') || (opened + 1),
        opened + 1, 0
      from public.number_series order by document, company, opened desc`)
}
