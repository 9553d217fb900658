// PATCH and DELETE /documents/{id}, and its next version.
import { dropFile, keepFile, receiveFile, type ReceivedFile } from '#modules/documents/files/receive-upload.ts'
import { weightOf } from '#kernel/values/permissions.ts'
import { remove, update } from '#kernel/data/changes.ts'
import { first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { removeTerms } from '#kernel/data/lists/search.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import type { IncomingFile } from '#http/features/file-bodies.ts'
import { ownBody } from '#http/organization-body.ts'
import {
  asListed,
  type Document,
  type DocumentChange,
  documentsTable,
  KEPT,
  type UploadedDocument,
} from './document.ts'
import { documentVersionsTable } from './document-version.ts'
import { documents } from './queries.ts'
import { assertAudience, assertLinks } from './readers.ts'
import { revokeShares } from './share-document.ts'
import { ONLY_FOR_READERS, storeVersion } from './upload-document.ts'

/** All of them are removed in one transaction. */
const MOST_VERSIONS = 200

const NEVER_CHANGES = 'An archived document never changes'
const OF_THE_VENDOR = 'Only staff change what the vendor provided'

/** Locks an uploaded document that the caller may change. */
async function lockDocument(ctx: OrganizationContext, id: number): Promise<UploadedDocument> {
  const document = await first(ctx, documents.forChange(ctx.organizationId, id))
  if (!document) {
    const [archived] = await ctx.ask(documents.sourceOf(ctx.organizationId, id))
    throw archived ? conflict('archived', NEVER_CHANGES) : notFound()
  }
  if (document.by_staff && !ctx.caller.staff) throw forbidden('staff_only', OF_THE_VENDOR)
  return document
}

export async function changeDocument(ctx: OrganizationContext, id: number, body: DocumentChange): Promise<Document> {
  const change = ownBody(ctx, body)
  const document = await lockDocument(ctx, id)
  const { category = document.category, visibility = document.visibility } = change
  const isKept = KEPT.includes(document.category) && category !== document.category
  if (isKept && !ctx.caller.staff)
    throw forbidden('staff_only', `Only staff move a ${document.category} document elsewhere`)
  if (change.reader_ids !== undefined && visibility !== 'readers') throw invalid(ONLY_FOR_READERS)
  const reader_ids = visibility === 'readers' ? (change.reader_ids ?? document.reader_ids) : []
  await changeAudience(ctx, document, { visibility, reader_ids })
  await assertLinks(ctx, change)
  return asListed(await update(ctx, documentsTable, id, { ...change, reader_ids }))
}

/** A document that is not for all has no share links of an earlier audience. */
async function changeAudience(
  ctx: OrganizationContext,
  document: UploadedDocument,
  { visibility, reader_ids }: Pick<UploadedDocument, 'visibility' | 'reader_ids'>,
): Promise<void> {
  const { caller, role } = ctx
  const { id, uploaded_by } = document
  if (visibility === document.visibility && String(reader_ids) === String(document.reader_ids)) return
  if (uploaded_by !== caller.userId && weightOf(role) < weightOf('admin'))
    throw forbidden('not_yours', 'Only the uploader, admins and owners decide who may read it')
  if (visibility === 'staff' && !document.by_staff)
    throw invalid({ visibility: 'staff is for what the vendor provided' })
  await assertAudience(ctx, { visibility, reader_ids, uploaded_by })
  if (visibility !== 'organization') await revokeShares(ctx, id)
}

/** A soft delete: the row stays for the audit log and the log of readers; versions, files and shares are removed. */
export async function deleteDocument(ctx: OrganizationContext, id: number): Promise<void> {
  const { category } = await lockDocument(ctx, id)
  const { organizationId, caller, now } = ctx
  if (KEPT.includes(category) && !caller.staff) throw forbidden('staff_only', `Only staff delete ${category} documents`)
  await revokeShares(ctx, id)
  const deleted: object = { deleted_at: now.toISOString() }
  await update(ctx, documentsTable, id, deleted, documentsTable.events.deleted)
  await ctx.ask(removeTerms(organizationId, documentsTable, id))
  for (const version of await ctx.ask(documents.filesOf(organizationId, id))) {
    await remove(ctx, documentVersionsTable, version.id)
    await dropFile(ctx, version.storage_key)
  }
}

/** Checks the document before the upload is received; the transaction checks it again. */
export async function receiveVersion(io: IoContext, id: number, file: IncomingFile): Promise<ReceivedFile> {
  const [found] = await io.read(documents.sourceOf(io.organizationId ?? 0, id))
  if (!found) throw notFound()
  if (found.source === 'archived') throw conflict('archived', NEVER_CHANGES)
  if (found.by_staff && !io.caller?.staff) throw forbidden('staff_only', OF_THE_VENDOR)
  return receiveFile(io, file)
}

export async function addVersion(ctx: OrganizationContext, id: number, received: ReceivedFile): Promise<Document> {
  const document = await lockDocument(ctx, id)
  if (document.version >= MOST_VERSIONS)
    throw conflict('limit_reached', `A document has ${MOST_VERSIONS} versions at most`)
  await keepFile(ctx, received)
  const version = document.version + 1
  await storeVersion(ctx, { document_id: id, version }, received)
  const { content_type, size, sha256 } = received
  return asListed(await update(ctx, documentsTable, id, { version, content_type, size, sha256 }))
}
