// GET /admin/exports/{id} and the link to the file, which ends with the file and with the rights of whoever asked for
// it.
import { fileAnswer } from '#modules/documents/files/file-answer.ts'
import { linkToken, OF_VENDOR, readLinkToken } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { TABLE_TYPES } from '#kernel/values/text/table-file.ts'
import type { ExportWithLink } from './export.ts'
import { exports, type LinkedExport } from './queries.ts'

const PURPOSE = 'export'
const MINUTE_MS = 60_000

export const exportWithLink = ({ userId, ports, realNow }: ReadContext, id: number): ReadPlan<ExportWithLink> =>
  parts([exports.one(userId, id)], ([[found]]) => {
    if (!found) throw notFound()
    if (found.status !== 'completed') return { ...found, url: null, url_expires_at: null }
    const { publicUrl, downloadLinkMinutes } = ports.settings
    // Whole seconds, as the token has them.
    const seconds = Math.floor((realNow.getTime() + downloadLinkMinutes * MINUTE_MS) / 1000)
    const expiresAt = new Date(seconds * 1000)
    const token = linkToken(ports, { purpose: PURPOSE, organizationId: OF_VENDOR, id, expiresAt })
    return { ...found, url: `${publicUrl}/api/v1/exports/links/${token}`, url_expires_at: expiresAt.toISOString() }
  })

export function followExportLink({ ports, realNow }: ReadContext, token: string): ReadPlan<LinkedExport> {
  const link = readLinkToken(ports, PURPOSE, { token, now: realNow })
  if (!link) throw notFound()
  return parts([exports.linked(link.id, realNow)], ([[found]]) => {
    if (!found) throw notFound()
    return found
  })
}

export const exportContent = async (io: IoContext, found: LinkedExport): Promise<FileAnswer> => {
  const { contentType, extension } = TABLE_TYPES[found.format]
  const name = found.source.replaceAll('/', '-')
  return fileAnswer(io, { ...found, content_type: contentType }, { fileName: `${name}-${found.id}.${extension}` })
}
