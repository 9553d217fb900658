// The audit log (spec 5).
import { area } from '#http/manifest/area.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { auditLogJobs } from './jobs.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogArea = (catalogue: Pick<Catalogue, 'published'>) =>
  area({
    name: 'audit-log',
    description: 'Who changed what, and when. Append-only.',
    routes: auditLogRoutes(catalogue),
    jobs: auditLogJobs,
    tables: ['audit_exports'],
  })
