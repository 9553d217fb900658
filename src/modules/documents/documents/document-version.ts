// The versions of a document, and the log of who read them.
import { Type, type Static } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { UploadedDocument } from './document.ts'

const { content_type, size, sha256, uploaded_by } = UploadedDocument.properties

const columns = {
  document_id: Id,
  version: Type.Integer({ minimum: 1, examples: [2] }),
  name: Type.String({ description: 'The file name of the upload, cleaned', examples: ['Network plan (2).pdf'] }),
  content_type,
  size,
  sha256,
  uploaded_by,
  created_at: Timestamp,
}

export const DocumentVersion = Type.Object(columns, { description: 'One version of a document; it never changes' })

export const documentVersionsTable = table(
  'document_versions',
  'document_version',
  Type.Object({ id: Id, ...columns, updated_at: Timestamp }),
  { extra: ['organization_id', 'storage_key'], masked: ['storage_key'] },
)

export const VersionFilters = Closed(Paging)

export const ContentQuery = Closed({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'The current one when absent' }),
  ),
})

export const READER_KINDS = ['user', 'api_key', 'share'] as const

export const DocumentAccess = Type.Object(
  {
    id: Id,
    document_id: Id,
    version: Type.Integer({ minimum: 1, examples: [2] }),
    at: Timestamp,
    reader_kind: Type.Enum(READER_KINDS, { description: '`share`: whoever had the share link' }),
    user_id: Nullable(Type.Integer({ description: 'Null for a share link', examples: [7] })),
    reader: Nullable(Type.String({ description: 'The user’s name then', examples: ['Ana Souza'] })),
    share_id: Nullable(Id),
    ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
  },
  { description: 'Somebody read a version of a document' },
)
export type DocumentAccess = Static<typeof DocumentAccess>
