// The organization's own log of changes (docs/interface.md, "Areas that the specification only names").
import { org } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { AuditEntry, AuditFilters } from './audit-entry.ts'
import { auditLog } from './queries.ts'

export const auditLogRoutes = [
  route({
    method: 'GET',
    path: '/audit-log',
    access: org('organization'),
    purpose: 'List the audit log of the organization.',
    query: AuditFilters,
    page: AuditEntry,
    read: ({ org: id }, { query }) => auditLog.page(id, query),
  }),
]
