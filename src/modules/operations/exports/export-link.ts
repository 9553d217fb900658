// GET /admin/exports/{id} and the link to the file, which ends with the file and with the rights of whoever asked for
// it.
import { fileAnswer, type FileOpener } from '#modules/documents/files/file-answer.ts'
import { linkMinutes, OF_VENDOR, readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { TABLE_TYPES } from './table-file.ts'
import type { ExportWithLink } from './export.ts'
import { exports, type LinkedExport } from './queries.ts'

const PURPOSE = 'export'

export const exportWithLink = (asked: ReadContext, id: number): ReadPlan<ExportWithLink> =>
  parts([exports.one(asked.userId, id), linkMinutes(asked)], ([[found], [time]]) => {
    if (!found || !time) throw notFound()
    if (found.status !== 'completed') return { ...found, url: null, url_expires_at: null }
    const link = signedLink(asked, { purpose: PURPOSE, organizationId: OF_VENDOR, id, ...time })
    return { ...found, url: link.url, url_expires_at: link.expires_at }
  })

/** Null for a token of another purpose. */
export function linkedExport({ ports, now }: ReadContext, token: string): ReadPlan<FileOpener> | null {
  const link = readLinkToken(ports, PURPOSE, { token, now })
  if (!link) return null
  return parts([exports.linked(link.id, now)], ([[found]]) => {
    if (!found) throw notFound()
    return async (io) => sentExport(io, found)
  })
}

const sentExport = (io: IoContext, found: LinkedExport): FileAnswer => {
  const { contentType, extension } = TABLE_TYPES[found.format]
  const name = found.source.replaceAll('/', '-')
  return fileAnswer(io, { ...found, content_type: contentType }, { fileName: `${name}-${found.id}.${extension}` })
}
