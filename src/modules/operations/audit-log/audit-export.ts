// An organization's export of its audit log with the seals of the entries: a file that a job writes.
import { type Static, Type } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { AfterEntry } from './sealed-entry.ts'

/** The file is removed so many days after it was written. */
export const KEPT_DAYS = 7

const Format = Type.Enum(['csv', 'ndjson'], {
  description: '`csv`: comma, UTF-8, the first line names the columns; `ndjson`: a JSON object on each line',
  examples: ['ndjson'],
})

export const AuditExport = Type.Object(
  {
    id: Id,
    organization_id: Id,
    format: Format,
    after_id: Type.Integer({
      minimum: 0,
      description: 'The file has what comes behind this entry; 0: all',
      examples: [0],
    }),
    status: Type.Enum(['queued', 'completed', 'failed', 'expired'], {
      description: '`failed`: it could not be written, ask again; `expired`: the file was removed',
      examples: ['completed'],
    }),
    requested_by: Nullable(Type.Integer({ description: 'The user who asked for it', examples: [7] })),
    rows: Nullable(Type.Integer({ minimum: 0, description: 'How many entries the file has', examples: [1200] })),
    last_id: Nullable(
      Type.Integer({
        description: 'The last sealed entry of the file, for `after_id` of the next one',
        examples: [4711],
      }),
    ),
    size: Nullable(Type.Integer({ minimum: 0, description: 'In bytes', examples: [98_304] })),
    sha256: Nullable(Type.String({ examples: ['47dccf5b6e1c5f6a0f5e0c3f6f0c8c0d0f9d5a1f0a7b6c5d4e3f2a1b0c9d8e7f'] })),
    created_at: Timestamp,
    updated_at: Timestamp,
    ended_at: Nullable(Timestamp),
    expires_at: Nullable({ ...Timestamp, description: 'When the file is removed' }),
  },
  { description: 'An export of the audit log of the organization' },
)
export type AuditExport = Static<typeof AuditExport>

export const auditExportsTable = table('audit_exports', 'audit_export', AuditExport, {
  extra: ['storage_key'],
  masked: ['storage_key'],
})

export const AuditExportWithLink = Type.Object(
  {
    ...AuditExport.properties,
    url: Nullable(
      Type.String({
        description: 'Of the file, once it is written; needs no credentials',
        examples: ['https://api.acme.example/api/v1/files/1.7.1795000000.c2ln'],
      }),
    ),
    url_expires_at: Nullable(Timestamp),
  },
  { description: 'An export of the audit log with the link to its file' },
)
export type AuditExportWithLink = Static<typeof AuditExportWithLink>

export const NewAuditExport = Closed({ format: Format, after_id: AfterEntry })
export type NewAuditExport = Static<typeof NewAuditExport>

export const AuditExportPaging = Closed(Paging)

export const writeAuditExportJob = jobKind('audit-log/export', { organization_id: Id, export_id: Id })
