// A document that was archived when its record became final (docs/decisions/0020): its bytes' hash and storage key. The
// table is `filed_documents`.
import { Type, type Static } from 'typebox'
import { Id, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { LANGUAGES } from '#texts/language.ts'

export const RESOURCES = ['quote', 'contract', 'invoice', 'credit_note', 'tax_invoice'] as const
export type ArchivedResource = (typeof RESOURCES)[number]

export const ArchivedDocument = Type.Object({
  id: Id,
  organization_id: Id,
  resource: Type.Enum(RESOURCES),
  resource_id: Id,
  version: Type.String(),
  language: Type.Enum(LANGUAGES),
  file_name: Type.String(),
  size: Type.Integer(),
  sha256: Type.String(),
  storage_key: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ArchivedDocument = Static<typeof ArchivedDocument>

export const archivedDocumentsTable = table('filed_documents', 'filed_document', ArchivedDocument, {
  masked: ['storage_key'],
  search: ['file_name'],
})
