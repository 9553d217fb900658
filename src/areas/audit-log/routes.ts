// The organization's own log of changes (docs/interface.md, "Areas that the specification only names").
import { org } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { AuditEntry, AuditFilters } from './audit-entry.ts'
import type { Catalogue } from '#areas/events/catalogue.ts'
import { auditLog } from './queries.ts'
import { visibleEntries } from './visible-entries.ts'

export function auditLogRoutes(catalogue: Pick<Catalogue, 'published'>) {
  const visible = visibleEntries(catalogue)
  return [
    route({
      method: 'GET',
      path: '/audit-log',
      access: org('organization'),
      purpose: 'List the audit log of the organization.',
      description: 'Staff see the entries about records that their scopes cover.',
      query: AuditFilters,
      page: AuditEntry,
      read: ({ org: id }, { query }) => auditLog.page(id, query, visible),
    }),
  ]
}
