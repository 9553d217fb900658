// docs/interface/operations.md, Exports.
import { anyStaff } from '#kernel/values/permissions.ts'
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { Export, ExportPaging, ExportWithLink, KEPT_DAYS, newExport } from './export.ts'
import { exportWithLink } from './export-link.ts'
import type { ExportSource } from './export-source.ts'
import { fileRoutes } from './file-routes.ts'
import { exports } from './queries.ts'
import { startExport } from './start-export.ts'

export const exportRoutes = (sources: readonly ExportSource[]) => [
  ...fileRoutes,
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
    fails: ['limit_reached'],
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
    description: 'The link is for `download_link_minutes`; each request gives a new one.',
    params: ById,
    data: ExportWithLink,
    features: { person: true, secret: true },
    read: (context, { params }) => exportWithLink(context, params.id),
  }),
]
