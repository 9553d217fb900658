// All SQL of documents. Who may read which is decided by the policies of the tables (migrations/0010-documents.sql).
import { type Only, pageAcross, withTerm } from '#kernel/data/lists/across.ts'
import type { ByteRange } from '#kernel/values/text/byte-range.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { searchPage } from '#kernel/data/lists/search-page.ts'
import { isOneOf, join, nothing, type Statement, raw, sql, when } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import { page, row } from '#http/route.ts'
import type { Page } from '#kernel/values/schema.ts'
import { archivedDocumentsTable } from '#modules/documents/documents-of-record/archived-document.ts'
import {
  Document,
  type AdministratorsDocumentFilters,
  type DocumentFilters,
  documentListing,
  documentsTable,
  type UploadedDocument,
  UploadedDocument as Columns,
} from './document.ts'
import { DocumentAccess, DocumentVersion } from './document-version.ts'
import { documentSharesTable, type StoredShare } from './document-share.ts'

const names = (schema: { properties: object }) => raw(Object.keys(schema.properties).join(', '))
const columns = sql`${names(Document)}`

/**
 * The uploaded documents, and the archived ones in the same form: one list, in which an id means one document. The
 * conditions stand outside, since PostgreSQL reads the two tables in order only when neither side has one of its own.
 */
const listed = (
  org: number,
  source?: Document['source'],
) => sql`from (${join(armsOf(org, source), ' union all ')}) listed
  where organization_id = ${org} and deleted_at is null`

/**
 * Those of the other source are left out, not filtered: a cluster could not send a statement with a table that is read
 * never.
 */
const armsOf = (org: number, source?: Document['source']): Statement[] =>
  [
    { source: 'uploaded', rows: UPLOADED },
    { source: 'archived', rows: archived(org) },
  ].flatMap((arm) => (source === undefined || source === arm.source ? [arm.rows] : []))

const uploadedColumns = sql`
  id, organization_id, name, category, visibility, reader_ids, entitlement_id, contract_id, version, content_type, size,
  sha256, uploaded_by, by_staff, external_id, metadata, created_at, updated_at, 'uploaded' as source,
  null::jsonb as record, null::text as language`
const UPLOADED = sql`select ${uploadedColumns}, deleted_at from documents`

const archived = (org: number) => sql`
  select f.id, f.organization_id, f.file_name as name,
         case f.resource when 'contract' then 'contract' when 'tax_invoice' then 'tax' when 'quote' then 'other'
           else 'invoice' end as category,
         'organization' as visibility, '{}'::bigint[] as reader_ids,
         (select c.entitlement_id from contracts c
           where c.organization_id = f.organization_id and c.organization_id = ${org} and f.resource = 'contract'
             and c.id = f.resource_id) as entitlement_id,
         case f.resource when 'contract' then f.resource_id end as contract_id, 1 as version,
           'application/pdf' as content_type, f.size,
         f.sha256, null::bigint as uploaded_by, true as by_staff, null::text as external_id, '{}'::jsonb as metadata,
           f.created_at,
         f.updated_at, 'archived' as source,
         jsonb_build_object('resource', f.resource, 'id', f.resource_id, 'version', f.version) as record, f.language,
         null::timestamptz as deleted_at
    from filed_documents f`

/** Of a filter that documents of one source only can meet. */
const onlySourceOf = ({ language, external_id }: DocumentFilters): Document['source'] | undefined => {
  if (language !== undefined) return 'archived'
  return external_id === undefined ? undefined : 'uploaded'
}

const oneOf = (org: number, id: number) => sql`${listed(org)} and id = ${id}`

const filtered = (query: DocumentFilters) => sql`
  ${withExternalId(query)}
  ${isOneOf('category', query.category)}
  ${when(query.entitlement_id, (id) => sql`and entitlement_id = ${id}`)}
  ${when(query.contract_id, (id) => sql`and contract_id = ${id}`)}
  ${when(query.source, (source) => sql`and source = ${source}`)}
  ${when(query.language, (language) => sql`and language = ${language}`)}`

/** Where the bytes of a version are; `org` and `id` may be columns of a table `beside` it. */
const contentOf = (
  { org, id, version }: { org: number | Statement; id: number | Statement; version: number | null },
  { columns: also, from }: Beside = { columns: nothing, from: nothing },
) => sql`
  select ${also} d.id, d.name, 'uploaded' as source, v.version, v.content_type, v.size, v.sha256, v.storage_key
    from ${from} documents d
    join document_versions v on v.organization_id = ${org} and v.document_id = d.id
      and v.version = coalesce(${version}::integer, d.version)
   where d.organization_id = ${org} and d.id = ${id} and d.deleted_at is null
  union all
  select ${also} f.id, f.file_name, 'archived', 1, 'application/pdf', f.size, f.sha256, f.storage_key
    from ${from} filed_documents f where f.organization_id = ${org} and f.id = ${id}
      and coalesce(${version}::integer, 1) = 1`
type Beside = { columns: Statement; from: Statement }

export type DocumentContent = {
  id: number
  name: string
  source: Document['source']
  version: number
  content_type: string
  size: number
  sha256: string
  storage_key: string
}

/** Who reads it: a caller, or whoever has a share link. */
export type Reader = Pick<DocumentAccess, 'reader_kind' | 'user_id' | 'reader' | 'share_id' | 'ip'>

/** The requests for further ranges that a viewer or a continued download makes in this time count as one reading. */
const ONE_READING_MS = 3_600_000

export const documents = {
  page: (org: number, query: DocumentFilters) =>
    searchPage(query, {
      org,
      tables: [documentsTable, archivedDocumentsTable],
      columns,
      listing: documentListing,
      from: sql`${listed(org, query.source ?? onlySourceOf(query))} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsDocumentFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'documents',
      listing: documentListing,
      columns: uploadedColumns,
      filtered: sql`and deleted_at is null ${filtered(query)} ${withTerm(query.search, documentsTable, query, only)}`,
    }),
  byId: (org: number, id: number) => row<Document>(sql`select ${columns} ${oneOf(org, id)}`),
  /** Locks the row. */
  forChange: (org: number, id: number) => sql<UploadedDocument>`
    select ${names(Columns)} from documents where organization_id = ${org} and id = ${id} and deleted_at is null
      for update`,
  /** Both kinds, without a lock. */
  sourceOf: (org: number, id: number) =>
    sql<Pick<Document, 'source' | 'by_staff' | 'visibility'>>`select source, by_staff, visibility ${oneOf(org, id)}`,

  content: (org: number, id: number, version: number | null) =>
    sql<DocumentContent>`select * from (${contentOf({ org, id, version })}) content`,
  versions: (org: number, id: number, query: Page) =>
    page(query, {
      columns: sql`${names(DocumentVersion)}`,
      id: 'version',
      from: sql`from (
        select ${names(DocumentVersion)} from document_versions where organization_id = ${org} and document_id = ${id}
        union all
        select id, 1, file_name, 'application/pdf', size, sha256, null, created_at
          from filed_documents where organization_id = ${org} and id = ${id}) versions where true`,
      parent: sql`select id ${oneOf(org, id)}`,
    }),
  filesOf: (org: number, id: number) => sql<{ id: number; storage_key: string }>`
    select id, storage_key from document_versions where organization_id = ${org} and document_id = ${id} order by id`,

  /** For the uploader, admins and owners, and staff; nobody else finds the document here. */
  accesses: (org: number, id: number, query: Page) =>
    page(query, {
      columns: sql`${names(DocumentAccess)}`,
      from: sql`from document_accesses where organization_id = ${org} and document_id = ${id}`,
      parent: sql`select id ${oneOf(org, id)} and (current_setting('app.role', true) in ('owner', 'admin')
        or uploaded_by = nullif(current_setting('app.user_id', true), '')::bigint)`,
    }),
  addAccess: (
    org: number,
    { id, version }: Pick<DocumentContent, 'id' | 'version'>,
    { reader, range, now }: { reader: Reader; range: ByteRange | null; now: Date },
  ) => sql`
    with same as materialized (
      select 1 from document_accesses a
       where a.organization_id = ${org} and a.document_id = ${id} and a.version = ${version}
         and a.user_id is not distinct from ${reader.user_id}::bigint and a.share_id is not distinct
           from ${reader.share_id}::bigint
         and a.at > ${new Date(now.getTime() - ONE_READING_MS)} limit 1
    )
    insert into document_accesses (organization_id, document_id, version, at, reader_kind, user_id, reader, share_id,
      ip)
    select ${org}, ${id}::bigint, ${version}::integer, ${now}::timestamptz, ${reader.reader_kind},
      ${reader.user_id}::bigint,
           ${reader.reader}, ${reader.share_id}::bigint, ${reader.ip}
     where ${range === null} or not exists (select 1 from same)
    returning 1`,

  shares: (org: number, id: number, query: Page) =>
    page(query, {
      columns: sql`${raw(documentSharesTable.visible.join(', '))},
        (select count(*) from document_accesses a where a.organization_id = ${org}
          and a.share_id = s.id) as access_count,
        (select max(a.at) from document_accesses a where a.organization_id = ${org}
          and a.share_id = s.id) as last_accessed_at`,
      from: sql`from document_shares s where s.organization_id = ${org} and s.document_id = ${id}`,
      parent: sql`select id ${oneOf(org, id)}`,
    }),
  share: (org: number, id: number, shareId: number) => sql<Pick<StoredShare, 'id' | 'revoked_at'>>`
    select s.id, s.revoked_at from document_shares s
     where s.organization_id = ${org} and s.document_id = ${id} and s.id = ${shareId}
       and exists (select 1 ${oneOf(org, id)})`,
  openShares: (org: number, id: number, { realNow: now }: Clock) => sql<{ id: number }>`
    select id from document_shares
     where organization_id = ${org} and document_id = ${id} and revoked_at is null and expires_at > ${now} order by id`,
  /** Over all organizations: the content that a share link gives. */
  shared: (tokenDigest: Buffer, now: Date) => sql<DocumentContent & { organization_id: number; share_id: number }>`
    with found as materialized (
      select s.organization_id, s.id, s.document_id from document_shares s
       where s.token_digest = ${tokenDigest} and s.revoked_at is null and s.expires_at > ${now}
    ), shared as materialized (
      select f.* from found f join organizations o on o.id = f.organization_id and o.deleted_at is null
    )
    ${contentOf(
      { org: sql`s.organization_id`, id: sql`s.document_id`, version: null },
      { columns: sql`s.organization_id, s.id as share_id,`, from: sql`shared s cross join` },
    )}`,

  entitlement: (org: number, id: number) =>
    sql<{ id: number }>`select id from entitlements where organization_id = ${org} and id = ${id}`,
  contract: (org: number, id: number) =>
    sql<{ id: number }>`select id from contracts where organization_id = ${org} and id = ${id}`,
}
