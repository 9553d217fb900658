// GET /audit-log/sealed-exports/{id}, and the link to the file, which ends with the file.
import { fileAnswer } from '#modules/documents/files/file-answer.ts'
import { linkToken, readLinkToken } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { TABLE_TYPES } from '#kernel/values/text/table-file.ts'
import type { AuditExportWithLink } from './audit-export.ts'
import { auditExports, type StoredExport } from './export-queries.ts'

const PURPOSE = 'audit-export'
const MINUTE_MS = 60_000

export const auditExportWithLink = (
  { org: organizationId, ports, realNow }: ReadContext,
  id: number,
): ReadPlan<AuditExportWithLink> =>
  parts([auditExports.one(organizationId, id)], ([[found]]) => {
    if (!found) throw notFound()
    if (found.status !== 'completed') return { ...found, url: null, url_expires_at: null }
    const { publicUrl, downloadLinkMinutes } = ports.settings
    // Whole seconds, as the token has them.
    const seconds = Math.floor((realNow.getTime() + downloadLinkMinutes * MINUTE_MS) / 1000)
    const expiresAt = new Date(seconds * 1000)
    const token = linkToken(ports, { purpose: PURPOSE, organizationId, id, expiresAt })
    return {
      ...found,
      url: `${publicUrl}/api/v1/audit-log/sealed-exports/links/${token}`,
      url_expires_at: expiresAt.toISOString(),
    }
  })

export function followAuditExportLink({ ports, realNow }: ReadContext, token: string): ReadPlan<StoredExport> {
  const link = readLinkToken(ports, PURPOSE, { token, now: realNow })
  if (!link) throw notFound()
  return parts([auditExports.linked(link.organizationId, link.id, realNow)], ([[found]]) => {
    if (!found) throw notFound()
    return found
  })
}

export const auditExportContent = async (io: IoContext, found: StoredExport): Promise<FileAnswer> => {
  const { contentType, extension } = TABLE_TYPES[found.format]
  return fileAnswer(io, { ...found, content_type: contentType }, { fileName: `audit-log-${found.id}.${extension}` })
}
