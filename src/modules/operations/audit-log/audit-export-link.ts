// GET /audit-log/sealed-exports/{id}, and the link to the file, which ends with the file.
import { fileAnswer, type FileOpener } from '#modules/documents/files/file-answer.ts'
import { linkMinutes, readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { TABLE_TYPES } from '#modules/operations/exports/table-file.ts'
import type { AuditExportWithLink } from './audit-export.ts'
import { auditExports, type StoredExport } from './export-queries.ts'

const PURPOSE = 'audit-export'

export const auditExportWithLink = (asked: ReadContext, id: number): ReadPlan<AuditExportWithLink> =>
  parts([auditExports.one(asked.org, id), linkMinutes(asked)], ([[found], [time]]) => {
    if (!found || !time) throw notFound()
    if (found.status !== 'completed') return { ...found, url: null, url_expires_at: null }
    const of = { purpose: PURPOSE, organizationId: asked.org, id, ...time }
    const link = signedLink(asked, of)
    return { ...found, url: link.url, url_expires_at: link.expires_at }
  })

/** Null for a token of another purpose. */
export function linkedAuditExport({ ports, now }: ReadContext, token: string): ReadPlan<FileOpener> | null {
  const link = readLinkToken(ports, PURPOSE, { token, now })
  if (!link) return null
  return parts([auditExports.linked(link.organizationId, link.id, now)], ([[found]]) => {
    if (!found) throw notFound()
    return async (io) => sentAuditExport(io, found)
  })
}

const sentAuditExport = (io: IoContext, found: StoredExport): FileAnswer => {
  const { contentType, extension } = TABLE_TYPES[found.format]
  return fileAnswer(io, { ...found, content_type: contentType }, { fileName: `audit-log-${found.id}.${extension}` })
}
