// The jobs of the audit log: sealing, an organization's export, and the end of exports.
import { update } from '#kernel/data/changes.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { auditExportsTable, writeAuditExportJob } from './audit-export.ts'
import { auditExports } from './export-queries.ts'
import { sealAuditLogs } from './seal-entries.ts'
import { completeAuditExport, expireAuditExport, writeAuditExport } from './write-audit-export.ts'

const EVERY_SECONDS = 60
const AT_ONCE = 100

const exportAuditLog = systemJob(writeAuditExportJob, {
  before: (io, { payload }, transactions) => writeAuditExport(io, payload, transactions),
  run: (ctx, { payload }, written) => completeAuditExport(ctx, payload, written),
})

/** Removes files whose time is over, and ends exports that cannot be written. */
const endExports = systemJob(jobKind('audit-log/end-exports', {}), {
  everySeconds: EVERY_SECONDS,
  before: async (io, _job, { inEach }) => {
    await inEach(await io.read(auditExports.due(io.now, AT_ONCE)), expireAuditExport)
    await inEach(await io.read(auditExports.abandoned(AT_ONCE)), (ctx, { id }) =>
      update(ctx, auditExportsTable, id, { status: 'failed', ended_at: io.now.toISOString() }),
    )
  },
})

export const auditLogJobs = [sealAuditLogs, exportAuditLog, endExports]
