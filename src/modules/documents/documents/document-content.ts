// The bytes of a document as an answer, with an entry in the log of who read it.
import { Readable } from 'node:stream'
import { downloadName } from '#modules/documents/files/content-type.ts'
import { fileAnswer, type FileOpener } from '#modules/documents/files/file-answer.ts'
import { ownBytes } from '#modules/documents/files/own-bytes.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { ByteRange } from '#kernel/values/text/byte-range.ts'
import { type DocumentContent, documents, type Reader } from './queries.ts'

/** For a caller with credentials. */
export const contentForCaller = (io: IoContext, found: DocumentContent): FileAnswer => {
  const { caller, ip, organizationId } = io
  const reader_kind = caller?.kind === 'api_key' ? ('api_key' as const) : ('user' as const)
  const reader = { reader_kind, user_id: caller?.userId ?? null, reader: caller?.name ?? null, share_id: null, ip }
  return contentFor(io, organizationId ?? 0, { found, reader })
}

/** For whoever has the share link. */
/** What a share link leads to; nothing for a token that is unknown, expired or revoked. */
export const sharedDocument = ({ now }: Pick<ReadContext, 'now'>, token: string): ReadPlan<FileOpener> =>
  parts([documents.shared(digest(token), now)], ([[found]]) => {
    if (!found) throw notFound()
    const reader = { reader_kind: 'share' as const, user_id: null, reader: null, share_id: found.share_id }
    return async (io) => contentFor(io, found.organization_id, { found, reader: { ...reader, ip: io.ip } })
  })

function contentFor(
  io: IoContext,
  organizationId: number,
  { found, reader }: { found: DocumentContent; reader: Reader },
): FileAnswer {
  const fileName = downloadName(found.name, found.content_type)
  const beforeSending = (range: ByteRange | null) =>
    io.read(documents.addAccess(organizationId, found, { reader, range, now: io.now }))
  if (found.source === 'uploaded') return fileAnswer(io, found, { fileName, beforeSending })
  const content = async (range: ByteRange | null) => {
    const bytes = await ownBytes(io, found)
    await beforeSending(range)
    return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
  }
  return { content, size: found.size, sha256: found.sha256, contentType: found.content_type, fileName }
}
