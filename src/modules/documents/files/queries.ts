// All SQL about the storage that an organization uses, and the claims on bytes without a row yet.
import { sql } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { Configured } from '#ports/ports.ts'
import { numberIn, settingIn } from '#ports/settings-in-force.ts'
import { removeFile } from './file-removal.ts'

/** With what it may be. */
export type Usage = { bytes: number; count: number; most_bytes: number; most_count: number }

export const files = {
  /**
   * Each table of uploads has a part here, and each of exports; other files that the service creates are not counted.
   */
  usage: (settings: Configured, org: number) => sql<Usage>`
    select coalesce(sum(size), 0)::bigint as bytes, count(*) as count,
           (${settingIn(settings, 'vendor', 'files_quota_bytes')})::bigint as most_bytes,
           ${numberIn(settings, 'files_quota_count')} as most_count from (
      select size from ticket_attachments where organization_id = ${org}
      union all
      select size from document_versions where organization_id = ${org}
      union all
      select size from organization_exports where organization_id = ${org} and storage_key is not null
      union all
      select size from audit_exports where organization_id = ${org} and storage_key is not null) stored`,
  /** Without an organization for what the vendor uploads outside of all. */
  claim: (org: number | null, storageKey: string, until: Date) => sql<{ id: number }>`
    insert into jobs (organization_id, kind, payload, run_at)
    values (${org}, ${removeFile.name}, ${storableJson({ storage_key: storageKey })}::jsonb, ${until}) returning id`,
  /** No row when the job has started already. */
  release: (org: number | null, claim: number) => sql<{ id: number }>`
    delete from jobs where organization_id is not distinct from ${org}::bigint and id = ${claim}
      and kind = ${removeFile.name} and lease is null returning id`,
}
