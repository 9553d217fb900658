// The audit log (spec 5).
import { area } from '#http/manifest/area.ts'
import { auditLogJobs } from './jobs.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogArea = area({
  name: 'audit-log',
  description: 'Who changed what, and when. Append-only.',
  fromAll: ({ published }) => ({ routes: auditLogRoutes({ published }) }),
  jobs: auditLogJobs,
  tables: ['audit_exports'],
})
