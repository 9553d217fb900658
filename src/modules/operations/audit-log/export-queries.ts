// All SQL of an organization's exports of its audit log.
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { isGivenUp } from '#modules/messages/mails/jobs-of-record.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { page } from '#http/route.ts'
import type { Page } from '#kernel/values/schema.ts'
import { AuditExport, writeAuditExportJob } from './audit-export.ts'

const columns = raw(Object.keys(AuditExport.properties).join(', '))

export type StoredExport = {
  id: number
  storage_key: string
  size: number
  sha256: string
  format: AuditExport['format']
}
export type EndedExport = { organization_id: number; id: number; storage_key: string | null }

export const auditExports = {
  page: (org: number, query: Page) =>
    page(query, { columns: sql`${columns}`, from: sql`from audit_exports where organization_id = ${org}` }),
  one: (org: number, id: number) => sql<AuditExport>`
    select ${columns} from audit_exports where organization_id = ${org} and id = ${id}`,
  lock: (org: number, id: number) => sql<AuditExport>`
    select ${columns} from audit_exports where organization_id = ${org} and id = ${id} for update`,
  isQueued: (org: number) => sql`select id from audit_exports where organization_id = ${org} and status = 'queued'`,
  /** What a link leads to, of an organization that is not deleted. */
  linked: (org: number, id: number, now: Date) => sql<StoredExport>`
    select e.id, e.storage_key, e.size, e.sha256, e.format from audit_exports e
      join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
        and o.deleted_at is null
     where e.organization_id = ${org} and e.id = ${id} and e.status = 'completed' and e.expires_at > ${now}`,
  /** Files that are not among the newest. */
  older: (org: number) => sql<EndedExport>`
    select organization_id, id, storage_key from audit_exports where organization_id = ${org} and status = 'completed'
     order by ended_at desc, id desc offset ${NEWEST_EXPORTS}`,
  /** Files whose time is over. */
  due: (now: Date, limit: number) => sql<EndedExport>`
    select organization_id, id, storage_key from audit_exports
     where status = 'completed' and expires_at <= ${now} order by expires_at limit ${limit}`,
  /** Those that no job writes any more: theirs is a dead letter. */
  abandoned: (limit: number) => sql<EndedExport>`
    select x.organization_id, x.id, x.storage_key from audit_exports x
     where x.status = 'queued' and ${isGivenUp(writeAuditExportJob, 'export_id', sql`x.id`)} limit ${limit}`,
}
