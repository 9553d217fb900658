// All SQL of imports.
import { page, row } from '#http/route.ts'
import { mayRead } from '#kernel/data/lists/search.ts'
import { isOneOf, join, raw, sql, when } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { Place } from './file-reading.ts'
import {
  Import,
  type ImportedRow,
  type ImportFilters,
  importListing,
  type ImportRow,
  type Kind,
  KINDS,
  type Outcome,
  type RowFilters,
} from './import.ts'
import { IMPORT_KINDS } from './import-kinds.ts'

const columns = raw(Object.keys(Import.properties).join(', '))
const rowColumns = sql`${columns}, storage_key, position, line`

/** A record that a line of any import became. */
export type ImportedRecord = {
  kind: Kind
  external_id: string
  /** Null: of the vendor. */
  organization_id: number | null
  record_id: number
  digest: string
}
/** What the report says of a line. */
export type ReportLine = Omit<ImportedRow, 'resource_id'> & {
  record_id: number | null
  keys?: readonly string[] | null
}
/** An organization that is not deleted. */
export type Living = { id: number; country: string | null }
type NewImportRow = Omit<ImportRow, 'id' | 'status' | 'problem' | 'ended_at' | 'invites' | CountColumn>
type CountColumn = 'rows' | 'created' | 'unchanged' | 'differs' | 'refused' | 'invited'

const reportColumns = sql`line, external_id, outcome, errors, record_organization_id as organization_id,
  record_id as resource_id`
const insertion = (values: NewImportRow) => {
  const names = raw(Object.keys(values).join(', '))
  return sql<{ id: number }>`insert into imports (${names})
    select ${names} from jsonb_populate_record(null::imports, ${storableJson(values)}::jsonb) returning id`
}

const view = (id: number) => sql<Import>`select ${columns} from imports where id = ${id}`

/** Whether the caller may read what the lines of the import become. */
const mayReadKind = sql`case kind ${join(
  KINDS.map((kind) => sql`when ${raw(`'${kind}'`)} then ${join(IMPORT_KINDS[kind].scopes.map(mayRead), ' and ')}`),
  ' ',
)} end`
const readable = (id: number) => sql<Import>`${view(id)} and ${mayReadKind}`

export const imports = {
  page: (query: ImportFilters) =>
    page(query, {
      listing: importListing,
      columns: sql`${columns}`,
      from: sql`from imports where ${mayReadKind}
        ${isOneOf('kind', query.kind)}
        ${when(query.source, (source) => sql`and source = ${source}`)}
        ${isOneOf('status', query.status)}`,
    }),
  view,
  /** No row for who may not read what its lines become. */
  readable,
  byId: (id: number) => row<Import>(readable(id)),
  rows: (id: number, query: RowFilters) =>
    page(query, {
      columns: reportColumns,
      id: 'line',
      oldestFirst: true,
      from: sql`from import_rows where import_id = ${id} ${isOneOf('outcome', query.outcome)}`,
      parent: readable(id),
    }),
  /** The next lines of the report. */
  rowsAfter: (
    id: number,
    line: number,
    { outcome, limit }: { outcome: Outcome | undefined; limit: number },
  ) => sql<ImportedRow>`
    select ${reportColumns} from import_rows where import_id = ${id} and line > ${line}
      ${when(outcome, (one) => sql`and outcome = ${one}`)} order by line limit ${limit}`,

  add: insertion,
  one: (id: number) => sql<ImportRow>`select ${rowColumns} from imports where id = ${id}`,
  forChange: (id: number) => sql<ImportRow>`select ${rowColumns} from imports where id = ${id} for update`,
  /** Counts the lines that were looked at since; no row when another worker has done so. */
  advance: (id: number, from: Place, to: Place, now: Date) => sql<ImportRow>`
    update imports i set position = ${to.position}, line = ${to.line}, updated_at = ${now}, rows = i.rows + c.rows,
           created = i.created + c.created, unchanged = i.unchanged + c.unchanged, differs = i.differs + c.differs,
           refused = i.refused + c.refused, status = case when status = 'queued' then 'running' else status end
      from (select count(*) as rows, count(*) filter (where outcome = 'created') as created,
                   count(*) filter (where outcome = 'unchanged') as unchanged,
                   count(*) filter (where outcome = 'differs') as differs,
                   count(*) filter (where outcome = 'refused') as refused
              from import_rows where import_id = ${id} and line > ${from.line} and line <= ${to.line}) c
     where i.id = ${id} and i.position = ${from.position} and i.line = ${from.line} returning ${raw(
       [...Object.keys(Import.properties), 'storage_key', 'position', 'line'].map((name) => `i.${name}`).join(', '),
     )}`,
  end: (id: number, end: { status: 'completed' | 'failed' | 'cancelled'; problem: string | null; now: Date }) => sql`
    update imports set status = ${end.status}, problem = ${end.problem}, storage_key = null, ended_at = ${end.now},
           updated_at = ${end.now} where id = ${id} returning id`,

  addRows: (id: number, rows: readonly ReportLine[]) => sql`
    insert into import_rows (import_id, line, external_id, outcome, errors, record_organization_id, record_id, keys)
    select ${id}, r.line, r.external_id, r.outcome, r.errors, r.organization_id, r.record_id, r.keys
      from jsonb_to_recordset(${storableJson(rows)}::jsonb) as r
        (line bigint, external_id text, outcome text, errors jsonb, organization_id bigint, record_id bigint, keys
          text[])
    on conflict do nothing`,
  /** Of imports that ended before, the report on their lines. The counts stay, as does which record is whose. */
  removeRows: (before: Date, limit: number) => sql`
    delete from import_rows where (import_id, line) in (
      select r.import_id, r.line from imports i join import_rows r on r.import_id = i.id
       where i.ended_at < ${before} limit ${limit}) returning id`,
  /** The lines of a slice that are in the report already: an earlier try was cut short. */
  linesDone: (id: number, from: number, to: number) =>
    sql<{ line: number }>`select line from import_rows where import_id = ${id} and line >= ${from} and line <= ${to}`,
  /** Where external ids stand in the same file. */
  linesOf: (id: number, externalIds: readonly string[]) => sql<{ external_id: string; line: number }>`
    select external_id, min(line) as line from import_rows
     where import_id = ${id} and external_id = any(${externalIds}::text[]) group by external_id`,
  /** The lines of the same file that have the keys. */
  holdersOf: (keys: readonly string[]) => sql<{ key: string; line: number }>`
    select w.key, r.line from unnest(${keys}::text[]) as w (key) join import_rows r on r.keys @> array[w.key]`,

  /** The records of these external ids, whatever import they come from. */
  found: (source: string, wanted: readonly Pick<ImportedRecord, 'kind' | 'external_id'>[]) => sql<ImportedRecord>`
    select r.kind, r.external_id, r.organization_id, r.record_id, r.digest from imported_records r
      join unnest(${wanted.map(({ kind }) => kind)}::text[], ${wanted.map((one) => one.external_id)}::text[])
        as w (kind, external_id) on r.kind = w.kind and r.external_id = w.external_id
     where r.source = ${source}`,
  /** Those that are not deleted. */
  living: (ids: readonly number[]) =>
    sql<Living>`select id, country from organizations where id = any(${ids}::bigint[]) and deleted_at is null`,
  /** No row when the external id has become a record meanwhile. */
  claim: (
    organizationId: number | null,
    { source, ...record }: Omit<ImportedRecord, 'organization_id'> & { source: string },
    by: { importId: number; now: Date },
  ) => sql<{ record_id: number }>`
    insert into imported_records (source, kind, external_id, organization_id, record_id, digest, import_id, imported_at)
    values (${source}, ${record.kind}, ${record.external_id}, ${organizationId}, ${record.record_id}, ${record.digest},
            ${by.importId}, ${by.now})
    on conflict do nothing returning record_id`,

  /** The members that an import created, in the order of the file. */
  membersAfter: (id: number, line: number, limit: number) => sql<{ line: number; organization_id: number; id: number }>`
    select line, record_organization_id as organization_id, record_id as id from import_rows
     where import_id = ${id} and outcome = 'created' and line > ${line} order by line limit ${limit}`,
  startInvites: (id: number, now: Date) => sql`
    update imports set invited = 0, invites = 'sending', updated_at = ${now} where id = ${id} returning id`,
  /** Counts the members of these lines who have their invite, or have answered it. */
  countInvites: (id: number, { from, to, isLast }: { from: number; to: number; isLast: boolean }, now: Date) => sql`
    update imports set invites = ${isLast ? 'sent' : 'sending'}, updated_at = ${now}, invited = invited + (
      select count(*) from import_rows r
        join collaborators c on c.organization_id = r.record_organization_id and c.id = r.record_id
       where r.import_id = ${id} and r.outcome = 'created' and r.line > ${from} and r.line <= ${to}
         and (c.role <> 'pending' or c.invite_status is not null))
     where id = ${id} returning id`,
}
