// Exports of all that is kept about a person or of an organization: a file, made by a job, that a signed link leads to.
import { Type, type Static } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

const ExportStatus = Type.Enum(['queued', 'completed', 'expired', 'failed'], {
  description:
    '`queued`: the file is being made; `completed`: `…/link` gives a link to it; `expired`: the file was ' +
    'removed; `failed`: it could not be written, until staff restart its job',
  examples: ['completed'],
})

const fields = {
  status: ExportStatus,
  requested_by: Nullable(Type.Integer({ description: 'The user who asked for it', examples: [7] })),
  size: Nullable(Type.Integer({ minimum: 1, description: 'Bytes', examples: [4096] })),
  sha256: Nullable(Type.String({ examples: ['47dccf5b6e1c5f6a0f5e0c3f6f0c8c0d0f9d5a1f0a7b6c5d4e3f2a1b0c9d8e7f'] })),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
  expires_at: Nullable({ ...Timestamp, description: 'When the file is removed' }),
}

export const PersonExport = Type.Object(
  { id: Id, user_id: { ...Id, description: 'The person whom it is about' }, ...fields },
  { description: 'An export of what is kept about a person' },
)
export type PersonExport = Static<typeof PersonExport>

export const OrganizationExport = Type.Object(
  { id: Id, organization_id: Id, ...fields, updated_at: Timestamp },
  { description: 'An export of the records of an organization' },
)
export type OrganizationExport = Static<typeof OrganizationExport>

export const organizationExportsTable = table('organization_exports', 'organization_export', OrganizationExport, {
  extra: ['storage_key'],
  masked: ['storage_key'],
})

export const ExportLink = Type.Object(
  {
    url: Type.String({ examples: ['https://titular.example/api/v1/files/7.1.1795000000.c2ln'] }),
    expires_at: Timestamp,
  },
  { description: 'A link that needs no credentials' },
)
export type ExportLink = Static<typeof ExportLink>

export const ExportPaging = Closed(Paging)
export const PersonExportFilters = Closed({ ...Paging, user_id: Type.Optional(Id) })
export type PersonExportFilters = Static<typeof PersonExportFilters>

/** What the row of an export says of its file; `owner`: the person or the organization whose it is. */
export type OwnedFile = {
  id: number
  owner: number
  storage_key: string | null
  size: number | null
  sha256: string | null
}

export const makePersonExport = jobKind('privacy/export-person', { export_id: Id })
export const makeOrganizationExport = jobKind('privacy/export-organization', { organization_id: Id, export_id: Id })
