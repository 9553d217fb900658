// The files of a release: uploaded by staff to a draft or a published release, removed from drafts only.
import { dropFile, keepFile, receiveFile, type ReceivedFile } from '#modules/documents/files/receive-upload.ts'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, type IoContext, one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound, uniqueViolation } from '#kernel/values/errors.ts'
import type { IncomingFile } from '#http/features/file-bodies.ts'
import { ownBody } from '#http/organization-body.ts'
import { forChange } from './change-release.ts'
import { releases } from './queries.ts'
import type { NewReleaseFile, ReleaseFile } from './release.ts'

/** Checks the release before the upload is received; the transaction checks it again. */
export async function receiveReleaseFile(io: IoContext, id: number, file: IncomingFile): Promise<ReceivedFile> {
  const [release] = await io.read(releases.statusOf(id))
  if (!release) throw notFound()
  assertTakesFiles(release)
  return receiveFile(io, file, 'vendor')
}

export async function addReleaseFile(
  ctx: OrganizationContext,
  id: number,
  { body, received }: { body: NewReleaseFile; received: ReceivedFile },
): Promise<ReleaseFile> {
  const { platform, architecture, signature = null } = ownBody(ctx, body)
  assertTakesFiles(await forChange(ctx, id))
  await keepFile(ctx, received, 'vendor')
  const { name: file_name, content_type, size, sha256, storage_key } = received
  const row = { platform, architecture, file_name, content_type, size, sha256, signature, storage_key }
  const file = await one(ctx, releases.addFile(id, row, ctx.now)).catch((error: unknown) => {
    if (uniqueViolation(error)) throw conflict('name_taken', 'The release has a file of this name already')
    throw error
  })
  await ctx.ask(serviceChange(ctx, 'file_added', { resource: 'release', id, before: null, after: file }))
  return file
}

/** What was published stays as it was signed and downloaded; a mistake is yanked. */
export async function removeReleaseFile(ctx: OrganizationContext, id: number, fileId: number): Promise<void> {
  const { status } = await forChange(ctx, id)
  if (status !== 'draft') throw conflict('status_not_allowed', `The files of a release that is ${status} stay`)
  const removed = await first(ctx, releases.removeFile(id, fileId))
  if (!removed) throw notFound()
  const { storage_key, ...file } = removed
  await dropFile(ctx, storage_key)
  await ctx.ask(serviceChange(ctx, 'file_removed', { resource: 'release', id, before: file, after: null }))
}

function assertTakesFiles({ status }: { status: string }): void {
  if (status === 'yanked') throw conflict('status_not_allowed', 'A release that is yanked takes no files')
}
