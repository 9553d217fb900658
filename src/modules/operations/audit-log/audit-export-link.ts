// GET /audit-log/sealed-exports/{id}, and the link to the file, which ends with the file.
import { fileAnswer } from '#modules/documents/files/file-answer.ts'
import { readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { TABLE_TYPES } from '#kernel/values/text/table-file.ts'
import type { AuditExportWithLink } from './audit-export.ts'
import { auditExports, type StoredExport } from './export-queries.ts'

const PURPOSE = 'audit-export'

export const auditExportWithLink = (asked: ReadContext, id: number): ReadPlan<AuditExportWithLink> =>
  parts([auditExports.one(asked.org, id)], ([[found]]) => {
    if (!found) throw notFound()
    if (found.status !== 'completed') return { ...found, url: null, url_expires_at: null }
    const of = { purpose: PURPOSE, organizationId: asked.org, id }
    const link = signedLink(asked, '/audit-log/sealed-exports/links', of)
    return { ...found, url: link.url, url_expires_at: link.expires_at }
  })

export function followAuditExportLink({ ports, now }: ReadContext, token: string): ReadPlan<StoredExport> {
  const link = readLinkToken(ports, PURPOSE, { token, now })
  if (!link) throw notFound()
  return parts([auditExports.linked(link.organizationId, link.id, now)], ([[found]]) => {
    if (!found) throw notFound()
    return found
  })
}

export const auditExportContent = async (io: IoContext, found: StoredExport): Promise<FileAnswer> => {
  const { contentType, extension } = TABLE_TYPES[found.format]
  return fileAnswer(io, { ...found, content_type: contentType }, { fileName: `audit-log-${found.id}.${extension}` })
}
