// The organization's own log of changes, and its exports (docs/interface/operations.md, Audit log).
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { org, orgAtLeast, SCOPE_NAMES, staffNeed } from '#kernel/values/permissions.ts'
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { AuditEntry, AuditFilters } from './audit-entry.ts'
import { AuditExport, AuditExportPaging, AuditExportWithLink, KEPT_DAYS, NewAuditExport } from './audit-export.ts'
import { auditExportWithLink } from './audit-export-link.ts'
import { auditExports } from './export-queries.ts'
import { auditLog } from './queries.ts'
import { requestAuditExport } from './request-audit-export.ts'
import { visibleEntries } from './visible-entries.ts'

/**
 * The file has what an owner with every scope sees, and no owner from whom the vendor hides one gets it; staff see all
 * of it only with the scope that covers the logs of all.
 */
const ofOwner = staffNeed(orgAtLeast('owner', ...SCOPE_NAMES), 'audit')

const exportRoutes = [
  route({
    method: 'POST',
    path: '/audit-log/sealed-exports',
    access: ofOwner,
    purpose: 'Export the audit log of the organization with the seals of its entries.',
    description:
      `A job writes the file from one state of the database. It is kept for ${KEPT_DAYS} days, and the ` +
      `newest ${NEWEST_EXPORTS} are. 409 while another one is being written.`,
    body: NewAuditExport,
    openapi: { operationId: 'createAuditExport', example: { format: 'ndjson' } },
    data: AuditExport,
    status: 202,
    fails: ['already_in_progress'],
    run: async (ctx, { body }) => ({
      data: await requestAuditExport(ctx, body),
      message: 'The export is being written',
    }),
  }),
  route({
    method: 'GET',
    path: '/audit-log/sealed-exports',
    access: ofOwner,
    purpose: 'List the exports of the audit log.',
    description:
      'Newest first, those that failed or whose file has expired too. The link to a file is at `GET ' +
      '/audit-log/sealed-exports/{id}`.',
    query: AuditExportPaging,
    openapi: { operationId: 'listAuditExports' },
    page: AuditExport,
    read: ({ org: id }, { query }) => auditExports.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/audit-log/sealed-exports/{id}',
    access: ofOwner,
    purpose: 'Get an export of the audit log, with a link to its file.',
    description: 'The link is for `download_link_minutes`; each request gives a new one.',
    params: ById,
    openapi: { operationId: 'getAuditExport' },
    data: AuditExportWithLink,
    features: { secret: true },
    read: (context, { params }) => auditExportWithLink(context, params.id),
  }),
]

export function auditLogRoutes(catalogue: Pick<Catalogue, 'published'>) {
  const visible = visibleEntries(catalogue)
  return [
    route({
      method: 'GET',
      path: '/audit-log',
      access: org('organization'),
      purpose: 'List the audit log of the organization.',
      description:
        'Everybody sees the entries about records that their scopes cover; of records without events, who ' +
        'has all scopes.',
      query: AuditFilters,
      page: AuditEntry,
      read: ({ org: id }, { query }) => auditLog.page(id, query, visible),
    }),
    ...exportRoutes,
  ]
}
