// GET /admin/exports/{id} and the link to the file, which ends with the file and with the rights of whoever asked for
// it.
import { fileAnswer } from '#modules/documents/files/file-answer.ts'
import { OF_VENDOR, readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { TABLE_TYPES } from '#kernel/values/text/table-file.ts'
import type { ExportWithLink } from './export.ts'
import { exports, type LinkedExport } from './queries.ts'

const PURPOSE = 'export'

export const exportWithLink = (asked: ReadContext, id: number): ReadPlan<ExportWithLink> =>
  parts([exports.one(asked.userId, id)], ([[found]]) => {
    if (!found) throw notFound()
    if (found.status !== 'completed') return { ...found, url: null, url_expires_at: null }
    const link = signedLink(asked, '/exports/links', { purpose: PURPOSE, organizationId: OF_VENDOR, id })
    return { ...found, url: link.url, url_expires_at: link.expires_at }
  })

export function followExportLink({ ports, now }: ReadContext, token: string): ReadPlan<LinkedExport> {
  const link = readLinkToken(ports, PURPOSE, { token, now })
  if (!link) throw notFound()
  return parts([exports.linked(link.id, now)], ([[found]]) => {
    if (!found) throw notFound()
    return found
  })
}

export const exportContent = async (io: IoContext, found: LinkedExport): Promise<FileAnswer> => {
  const { contentType, extension } = TABLE_TYPES[found.format]
  const name = found.source.replaceAll('/', '-')
  return fileAnswer(io, { ...found, content_type: contentType }, { fileName: `${name}-${found.id}.${extension}` })
}
