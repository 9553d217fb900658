// docs/interface/integrations.md, Imports.
import { discardFile } from '#modules/documents/files/receive-upload.ts'
import { anyStaff, vendor } from '#kernel/values/permissions.ts'
import { notFound } from '#kernel/values/errors.ts'
import { fileRoute, parts, route } from '#http/route.ts'
import { CSV } from '#kernel/values/text/csv.ts'
import { ById } from '#kernel/values/schema.ts'
import { cancelImport } from './cancel-import.ts'
import { Import, ImportedRow, ImportFilters, NewImport, ReportFilters, RowFilters } from './import.ts'
import { inviteMembers } from './invite-members.ts'
import { imports } from './queries.ts'
import { reportCsv } from './report-csv.ts'
import { languageOf, rowFor } from './row-errors.ts'
import { importRules, receiveImport, startImport } from './start-import.ts'

/** Which scope is needed depends on the kind: who may not read it finds no import of it. */
const importers = anyStaff

export const importRoutes = [
  route({
    method: 'POST',
    path: '/admin/imports',
    access: importers,
    purpose: 'Import a file of records that another system had.',
    description:
      'A CSV, whose first line names its columns, or NDJSON; the fields are those of ' +
      'docs/interface/integrations.md, Imports. Each line is a record of its own: one that is refused holds ' +
      'up no other, and one that was imported before is not imported again. Whoever imports has to be one who may ' +
      'change what the lines become, such as `finances` for invoices.',
    body: NewImport,
    rules: importRules,
    openapi: {
      example: {
        kind: 'organizations',
        format: 'csv',
        source: 'whmcs',
        dry_run: true,
        mapping: '{"columns":{"ID":"external_id","Company Name":"name"},"fixed":{"country":"BR"}}',
      },
    },
    data: Import,
    status: 202,
    fails: ['upload_too_slow'],
    features: {
      // The job acts as the person who asked for it, with all of their roles.
      person: true,
      // Its lines may give the roles admin and owner.
      stepUp: ({ kind }) => kind === 'members',
      upload: {
        maxBytes: ({ files }) => files.maxBytes,
        receive: (io, _input, file) => receiveImport(io, file),
        discard: (io, received) => discardFile(io, received),
      },
    },
    run: async (ctx, { body }, received) => ({
      data: await startImport(ctx, body, received),
      message: 'The file is being imported',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/imports',
    access: importers,
    purpose: 'List the imports.',
    description: 'Newest first, dry runs too: those whose kind the caller may read, such as `finances` for invoices.',
    query: ImportFilters,
    page: Import,
    read: (_, { query }) => imports.page(query),
  }),
  route({
    method: 'GET',
    path: '/admin/imports/{id}',
    access: importers,
    purpose: 'Get an import, with how many of its lines had which outcome.',
    description:
      'The numbers grow while it runs. When it failed, `problem` is where the file could not be read on; the lines ' +
      'before are imported.',
    params: ById,
    data: Import,
    read: (_, { params }) => imports.byId(params.id),
  }),
  route({
    method: 'GET',
    path: '/admin/imports/{id}/rows',
    access: importers,
    purpose: 'List what became of each line of an import.',
    description:
      'In the order of the file. `errors` of a refused line are by field, `row` for the whole line, in the language ' +
      'of `Accept-Language`.',
    params: ById,
    query: RowFilters,
    page: ImportedRow,
    read: (_, { params, query }) => ({ ...imports.rows(params.id, query), each: rowFor }),
  }),
  fileRoute({
    path: '/admin/imports/{id}/report',
    access: importers,
    purpose: 'Download what became of each line of an import, as a CSV.',
    description:
      'The lines of `GET /admin/imports/{id}/rows` in one file, in their order; while it runs those that were ' +
      'looked at. The errors of a line are cut at 500 characters, in the language of `Accept-Language`.',
    params: ById,
    query: ReportFilters,
    contentType: CSV,
    read: (_, { params: { id }, query }) =>
      parts([imports.readable(id)], ([[found]], caller) => {
        if (found === undefined) throw notFound()
        return { id, ...query, language: languageOf(caller) }
      }),
    make: reportCsv,
  }),
  route({
    method: 'POST',
    path: '/admin/imports/{id}/cancel',
    access: importers,
    purpose: 'Cancel an import; what it has imported stays.',
    description: 'A few more lines may be imported meanwhile. 409 when it has ended.',
    params: ById,
    data: Import,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await cancelImport(ctx, params.id), message: 'Import cancelled' }),
  }),
  route({
    method: 'POST',
    path: '/admin/imports/{id}/invite',
    access: vendor('organization'),
    purpose: 'Invite the members that an import created.',
    description:
      'Mails go out some at a time. A member who was invited already, or removed, is left out. 409 unless ' +
      'it is an import of members that has ended.',
    params: ById,
    data: Import,
    status: 202,
    fails: ['already_in_progress', 'nobody_to_invite', 'status_not_allowed'],
    features: { person: true },
    run: async (ctx, { params }) => ({
      data: await inviteMembers(ctx, params.id),
      message: 'Members are being invited',
    }),
  }),
]
