// The organization's own log of changes, and its exports (docs/interface/operations.md, Audit log).
import { Type } from 'typebox'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import { open, org, orgAtLeast, staffNeed } from '#kernel/values/permissions.ts'
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { TABLE_CONTENT_TYPES } from '#kernel/values/text/table-file.ts'
import { AuditEntry, AuditFilters } from './audit-entry.ts'
import { AuditExport, AuditExportPaging, AuditExportWithLink, KEPT_DAYS, NewAuditExport } from './audit-export.ts'
import { auditExportContent, auditExportWithLink, followAuditExportLink } from './audit-export-link.ts'
import { auditExports } from './export-queries.ts'
import { auditLog } from './queries.ts'
import { requestAuditExport } from './request-audit-export.ts'
import { visibleEntries } from './visible-entries.ts'

/** The file has what the owner sees; staff see all of it only with the scope that covers the logs of all. */
const ofOwner = staffNeed(orgAtLeast('owner', 'organization'), 'audit')

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
    openapi: { operationId: 'requestAuditExport', example: { format: 'ndjson' } },
    data: AuditExport,
    status: 202,
    fails: ['CONFLICT'],
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
    description: 'The link is for DOWNLOAD_LINK_MINUTES; each request gives a new one.',
    params: ById,
    openapi: { operationId: 'getAuditExport' },
    data: AuditExportWithLink,
    features: { secret: true },
    read: (context, { params }) => auditExportWithLink(context, params.id),
  }),
  fileRoute({
    path: '/audit-log/sealed-exports/links/{link}',
    access: open,
    purpose: 'Download the file of an export of the audit log by a link.',
    description: '404 once the link or the file has expired.',
    params: Closed({ link: Type.String({ maxLength: 200, examples: ['1.7.1795000000.c2ln'] }) }),
    openapi: { operationId: 'followAuditExportLink' },
    contentType: TABLE_CONTENT_TYPES,
    read: (context, { params }) => followAuditExportLink(context, params.link),
    make: auditExportContent,
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
