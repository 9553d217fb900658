// POST /audit-log/sealed-exports: notes what is asked for; a job writes the file.
import { insert } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { type AuditExport, auditExportsTable, type NewAuditExport, writeAuditExportJob } from './audit-export.ts'
import { auditExports } from './export-queries.ts'

export async function requestAuditExport(
  ctx: OrganizationContext,
  { format, after_id = 0 }: NewAuditExport,
): Promise<AuditExport> {
  const { organizationId: organization_id, caller } = ctx
  if (await first(ctx, auditExports.isQueued(organization_id)))
    throw conflict('already_in_progress', 'An export is being written already')
  const added = await insert(ctx, auditExportsTable, { format, after_id, requested_by: caller.userId })
  await enqueue(ctx, writeAuditExportJob, { organization_id, export_id: added.id })
  return added
}
