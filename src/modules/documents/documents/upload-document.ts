// POST /documents: a new document with its first version.
import { keepFile, type ReceivedFile } from '#modules/documents/files/receive-upload.ts'
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Rules } from '#http/route.ts'
import { asListed, type Document, documentsTable, type NewDocument } from './document.ts'
import { documentVersionsTable } from './document-version.ts'
import { assertAudience, assertLinks } from './readers.ts'

export const newDocumentRules: Rules<NewDocument> = ({ visibility = 'organization', reader_ids }) =>
  reader_ids !== undefined && visibility !== 'readers' ? ONLY_FOR_READERS : {}

export const ONLY_FOR_READERS = { reader_ids: 'goes with the visibility readers only' }

export async function uploadDocument(
  ctx: OrganizationContext,
  body: NewDocument,
  received: ReceivedFile,
): Promise<Document> {
  const { reader_ids: readers, ...fields } = ownBody(ctx, body)
  const { caller } = ctx
  const { visibility = 'organization', category = 'other', name = received.name } = fields
  const reader_ids = [...new Set(readers?.split(',').map(Number))]
  if (visibility === 'staff' && !caller.staff)
    throw forbidden('staff_only', 'Only staff may provide documents for staff')
  await assertAudience(ctx, { visibility, reader_ids, uploaded_by: caller.userId })
  await assertLinks(ctx, fields)
  await keepFile(ctx, received)
  const { content_type, size, sha256 } = received
  const about = { content_type, size, sha256, uploaded_by: caller.userId, by_staff: caller.staff }
  const document = await insert(ctx, documentsTable, { ...fields, name, category, visibility, reader_ids, ...about })
  await storeVersion(ctx, { document_id: document.id, version: 1 }, received)
  return asListed(document)
}

export async function storeVersion(
  ctx: OrganizationContext,
  numbered: { document_id: number; version: number },
  { name, content_type, size, sha256, storage_key }: ReceivedFile,
): Promise<void> {
  // The row's type has only the columns that clients see.
  const place: object = { storage_key }
  const values = { ...numbered, name, content_type, size, sha256, uploaded_by: ctx.caller.userId }
  await insert(ctx, documentVersionsTable, { ...values, ...place })
}
