// The audit log (spec 5).
import { area } from '#kernel/area.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogArea = area({
  name: 'audit-log',
  description: 'Who changed what, and when. Append-only.',
  routes: auditLogRoutes,
})
