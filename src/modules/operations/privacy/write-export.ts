// Writes an export as NDJSON, compressed: a line that says what it is, then a line for each row of each table, all as
// of one moment, also while rows are changed or removed meanwhile.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ReceivedFile, receiveFile } from '#modules/documents/files/receive-upload.ts'
import type { ErasureRules } from './organization-erasure.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { raw, type Statement, sql } from '#kernel/values/sql.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import { personalTables } from './personal-data.ts'
import { type ExportedTable, INSTEAD } from './organization-records.ts'

export const EXPORT_TYPE = 'application/gzip'

/** The rows of one table. `as` says what the subject is in them. */
type Part = { name: string; as: string; columnsOf: (columns: readonly string[]) => string[]; where: Statement }

type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

export function exportOrganization(
  io: IoContext,
  { snapshot }: BoundTransactions,
  { organizationId, tables }: { organizationId: number; tables: readonly ExportedTable[] },
): Promise<ReceivedFile> {
  const parts = tables.map(({ name, columnsOf }) => ({
    name,
    as: 'organization_id',
    columnsOf,
    where: sql`t.organization_id = ${organizationId}`,
  }))
  return snapshot(organizationId, (ask) =>
    stored(io, written(ask, { of: { organization_id: organizationId }, at: io.now, parts })),
  )
}

export function exportPerson(
  io: IoContext,
  { snapshot }: BoundTransactions,
  { userId, people }: { userId: number; people: ErasureRules['people'] },
): Promise<ReceivedFile> {
  const parts: Part[] = personalTables(people).map(({ name, by, columnsOf }) => ({
    name,
    as: by,
    columnsOf,
    where: sql`t.${raw(by)} = ${userId}`,
  }))
  return snapshot(null, (ask) =>
    stored(io, written(ask, { of: { user_id: userId }, at: io.now, parts: [...parts, ...acts(userId)] })),
  )
}

const ACT_COLUMNS = [
  'organization_id',
  'at',
  'actor_kind',
  'actor',
  'action',
  'resource',
  'resource_id',
  'ip',
  'reason',
]

/** What the person did, without the values of the records that they changed: those are the organizations'. */
const acts = (userId: number): Part[] =>
  ['audit_log', 'service_audit'].map((name) => ({
    name,
    as: 'actor_id',
    columnsOf: (columns) => columns.filter((column) => ACT_COLUMNS.includes(column)),
    where: sql`t.actor_id = ${userId}`,
  }))

const stored = (io: IoContext, lines: AsyncIterable<string>): Promise<ReceivedFile> =>
  receiveFile(io, { fileName: 'export.ndjson.gz', stream: Readable.from(compressed(lines)) }, 'vendor')

async function* compressed(lines: AsyncIterable<string>): AsyncIterable<Buffer> {
  const gzip = createGzip()
  // Ends the reading of `gzip` with its error when a line cannot be read.
  const feeding = pipeline(Readable.from(lines), gzip)
  feeding.catch(() => undefined)
  for await (const chunk of gzip) yield Buffer.from(chunk)
  await feeding
}

const AT_ONCE = 500

type Content = { of: object; at: Date; parts: readonly Part[] }

async function* written(ask: Ask, { of, at, parts }: Content): AsyncIterable<string> {
  yield `${JSON.stringify({ export: { ...of, taken_at: at.toISOString(), format: 1 } })}\n`
  const columns = await columnsIn(ask, [...new Set(parts.map(({ name }) => name))])
  for (const part of parts) {
    const values = part
      .columnsOf(columns.get(part.name) ?? [])
      .map((column) => `'${column}', ${INSTEAD[`${part.name}.${column}`] ?? `t."${column}"`}`)
    await ask(sql`declare rows no scroll cursor for
      select (${raw(objectOf(values))})::text as record from ${raw(part.name)} t where ${part.where}`)
    const head = JSON.stringify({ table: part.name, as: part.as }).slice(0, -1)
    for (let isLast = false; !isLast;) {
      // Copied as PostgreSQL writes them: a number in JavaScript would lose digits of amounts.
      const rows = await ask(sql<{ record: string }>`fetch ${raw(String(AT_ONCE))} from rows`)
      if (rows.length > 0) yield rows.map(({ record }) => `${head},"record":${record}}\n`).join('')
      isLast = rows.length < AT_ONCE
    }
    await ask(sql`close rows`)
  }
}

/** PostgreSQL takes a hundred arguments of a function. */
const MOST_MEMBERS = 50

/** As JSON; the row of a subquery would have no names of columns on a cluster. */
function objectOf(members: readonly string[]): string {
  const parts: string[] = []
  for (let from = 0; from < members.length; from += MOST_MEMBERS)
    parts.push(`jsonb_build_object(${members.slice(from, from + MOST_MEMBERS).join(', ')})`)
  return parts.length === 0 ? `'{}'::jsonb` : parts.join(' || ')
}

async function columnsIn(ask: Ask, tables: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await ask(sql<{ table: string; columns: string[] }>`
    select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables}::text[]) group by c.relname`)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}
