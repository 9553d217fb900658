// docs/interface/operations.md, Exports.
import { Type } from 'typebox'
import { anyStaff, open } from '#kernel/values/permissions.ts'
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { TABLE_CONTENT_TYPES } from '#kernel/values/text/table-file.ts'
import { Export, ExportPaging, ExportWithLink, KEPT_DAYS, newExport } from './export.ts'
import { exportContent, exportWithLink, followExportLink } from './export-link.ts'
import type { ExportSource } from './export-source.ts'
import { exports } from './queries.ts'
import { startExport } from './start-export.ts'

export const exportRoutes = (sources: readonly ExportSource[]) => [
  route({
    method: 'POST',
    path: '/admin/exports',
    access: anyStaff,
    purpose: 'Export a report or a list as a file.',
    description:
      'For whoever may read it. A job writes the file from one state of the database. It is kept for ' +
      `${KEPT_DAYS} days, and of one source the newest ${NEWEST_EXPORTS}. The same request again, while ` +
      'the first one waits, gets the same export.',
    body: newExport(sources.map(({ name }) => name)),
    openapi: { example: { source: 'reports/billed', filters: { month_from: '2026-01' }, format: 'csv-br' } },
    data: Export,
    status: 202,
    fails: ['CONFLICT'],
    features: { person: true },
    run: async (ctx, { body }) => ({
      data: await startExport(ctx, sources, body),
      message: 'The export is being written',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/exports',
    access: anyStaff,
    purpose: 'List the exports of the caller.',
    description: 'Newest first, the caller’s own. The link to a file is at `GET /admin/exports/{id}`.',
    query: ExportPaging,
    page: Export,
    features: { person: true },
    read: ({ userId }, { query }) => exports.page(userId, query),
  }),
  route({
    method: 'GET',
    path: '/admin/exports/{id}',
    access: anyStaff,
    purpose: 'Get an export of the caller, with a link to its file.',
    description: 'The link is for DOWNLOAD_LINK_MINUTES; each request gives a new one.',
    params: ById,
    data: ExportWithLink,
    features: { person: true, secret: true },
    read: (context, { params }) => exportWithLink(context, params.id),
  }),
  fileRoute({
    path: '/exports/links/{link}',
    access: open,
    purpose: 'Download the file of an export by a link.',
    description: '404 once the link or the file has expired, or whoever asked for it may not read it any more.',
    params: Closed({ link: Type.String({ maxLength: 200, examples: ['0.7.1795000000.c2ln'] }) }),
    openapi: { operationId: 'followExportLink' },
    contentType: TABLE_CONTENT_TYPES,
    read: (context, { params }) => followExportLink(context, params.link),
    make: exportContent,
  }),
]
