// Seals the entries of the audit logs, some minutes after they were written (docs/decisions/0082).
import { AUDIT_LOGS, sealEntries } from './audit-chain.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'

const EVERY_SECONDS = 60

export const sealAuditLogs = systemJob(jobKind('audit-log/seal', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    for (const log of AUDIT_LOGS) await sealEntries(ctx, log)
  },
})
