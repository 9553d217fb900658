// All SQL of exports. They belong to the vendor; each person has their own.
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { isGivenUp } from '#modules/messages/mails/jobs-of-record.ts'
import { PERMISSIONS_OF_U, type StaffPermission } from '#kernel/values/staff-roles.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { page } from '#http/route.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { Page } from '#kernel/values/schema.ts'
import { Export, type NewExport, type WaitingExport } from './export.ts'

const columns = raw(Object.keys(Export.properties).join(', '))

type NewRow = Required<NewExport> & {
  language: string
  permissions: readonly StaffPermission[]
  digest: string
  created_by: number
  created_by_name: string
}
export type WrittenFile = { rows: number; size: number; sha256: string; storage_key: string; claim: number }
export type LinkedExport = Pick<WrittenFile, 'size' | 'sha256' | 'storage_key'> &
  Pick<Export, 'id' | 'source' | 'format'>

/** Whether the person who asked for the export `x` may still read what it is of. */
const isAllowed = sql`coalesce(
  (select ${PERMISSIONS_OF_U} @> x.permissions from users u where u.id = x.created_by and u.disabled_at is null),
    false)`

export const exports = {
  page: (userId: number, query: Page) =>
    page(query, { columns: sql`${columns}`, from: sql`from exports where created_by = ${userId}` }),
  one: (userId: number, id: number) =>
    sql<Export>`select ${columns} from exports where created_by = ${userId} and id = ${id}`,
  /** One request of a person after the other, so that they count each other's. */
  lock: (userId: number) => sql`select id from users where id = ${userId} for no key update`,
  unfinished: (userId: number) =>
    sql<{ count: number }>`
      select count(*) as count from exports where created_by = ${userId} and status in ('queued', 'running')`,
  /** The same request again gets the export that waits. */
  add: (row: NewRow, now: Date) => sql<{ id: number; is_new: boolean }>`
    insert into exports (source, filters, format, language, permissions, digest, created_by, created_by_name,
      created_at, updated_at)
    values (${row.source}, ${storableJson(row.filters)}::jsonb, ${row.format}, ${row.language},
      ${row.permissions}::text[],
            ${row.digest}, ${row.created_by}, ${row.created_by_name}, ${now}, ${now})
    on conflict (created_by, digest) where status = 'queued' do update set updated_at = excluded.updated_at
    returning id, created_at = ${now} and xmax = 0 as is_new`,
  /** Another try begins anew, also of a dead letter that was restarted. No row when it was written. */
  begin: (id: number, now: Date) => sql<WaitingExport>`
    update exports x set updated_at = ${now}, status = case when ${isAllowed} then 'running' else 'failed' end,
           problem = case when not ${isAllowed} then 'The person who asked for it may not read it any more' end,
           ended_at = case when not ${isAllowed} then ${now}::timestamptz end
     where x.id = ${id} and x.status in ('queued', 'running', 'failed') returning ${columns}, language`,
  /** Ends those that no job writes any more: theirs is a dead letter. */
  giveUp: (job: JobKind<{ export_id: number }>, now: Date) => sql`
    update exports x set status = 'failed', problem = 'The file could not be written', ended_at = ${now},
      updated_at = ${now}
     where x.status in ('queued', 'running') and ${isGivenUp(job, 'export_id', sql`x.id`)}
    returning x.id`,
  complete: (id: number, written: WrittenFile, at: { now: Date; expiresAt: Date }) => sql`
    update exports set status = 'completed', rows = ${written.rows}, size = ${written.size}, sha256 = ${written.sha256},
           storage_key = ${written.storage_key}, ended_at = ${at.now}, updated_at = ${at.now},
             expires_at = ${at.expiresAt}
     where id = ${id} and status = 'running' returning id`,
  /** Ends the person's files of the same source that are not among the newest, and gives them. */
  endOlder: (id: number, now: Date) => sql<{ storage_key: string }>`
    with older as (
      select o.id, o.storage_key from exports x join exports o on o.created_by = x.created_by and o.source = x.source
       where x.id = ${id} and o.storage_key is not null
       order by o.ended_at desc, o.id desc offset ${NEWEST_EXPORTS} for update of o)
    update exports e set status = 'expired', storage_key = null, updated_at = ${now} from older where e.id = older.id
    returning older.storage_key`,
  /** What a link leads to: until its end, and while the person may read it. */
  linked: (id: number, now: Date) => sql<LinkedExport>`
    select x.id, x.source, x.format, x.size, x.sha256, x.storage_key from exports x
     where x.id = ${id} and x.status = 'completed' and x.expires_at > ${now} and ${isAllowed}`,
  /** Ends those whose time is over, and gives their files. */
  expire: (now: Date, limit: number) => sql<{ storage_key: string }>`
    with over as (
      select id, storage_key from exports where storage_key is not null and expires_at <= ${now}
       order by expires_at limit ${limit} for update skip locked)
    update exports x set status = 'expired', storage_key = null, updated_at = ${now} from over
     where x.id = over.id returning over.storage_key`,
}
