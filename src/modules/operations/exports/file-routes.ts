// GET /files/{token}: a file by a link that needs no credentials, whatever made the link.
import { Type } from 'typebox'
import { linkedRelease } from '#modules/delivery/downloads/download-link.ts'
import { sharedDocument } from '#modules/documents/documents/document-content.ts'
import { VENDOR_UPLOAD_TYPES } from '#modules/documents/files/content-type.ts'
import type { FileOpener } from '#modules/documents/files/file-answer.ts'
import { isSigned } from '#modules/documents/files/signed-link.ts'
import { linkedAuditExport } from '#modules/operations/audit-log/audit-export-link.ts'
import { linkedOrganizationExport, linkedPersonExport } from '#modules/operations/privacy/export-link.ts'
import { EXPORT_TYPE } from '#modules/operations/privacy/write-export.ts'
import { notFound } from '#kernel/values/errors.ts'
import { open } from '#kernel/values/permissions.ts'
import { Closed } from '#kernel/values/schema.ts'
import { TABLE_CONTENT_TYPES } from './table-file.ts'
import { fileRoute, type ReadContext, type ReadPlan } from '#http/route.ts'
import { linkedExport } from './export-link.ts'

/** The signature says of which kind a token is. */
const SIGNED = [linkedRelease, linkedExport, linkedAuditExport, linkedPersonExport, linkedOrganizationExport]

function linkedFile(context: ReadContext, token: string): ReadPlan<FileOpener> {
  if (!isSigned(token)) return sharedDocument(context, token)
  for (const read of SIGNED) {
    const plan = read(context, token)
    if (plan) return plan
  }
  throw notFound()
}

export const fileRoutes = [
  fileRoute({
    path: '/files/{token}',
    access: open,
    purpose: 'Download a file by a link.',
    description:
      'The links are those of shared documents, releases and exports. The same 404 for one that is unknown, expired ' +
      'or revoked, whose file has ended, or whose reader may not have it any more.',
    params: Closed({ token: Type.String({ maxLength: 200, examples: ['1.7.1795000000.c2ln'] }) }),
    openapi: { operationId: 'downloadFile', tag: 'files' },
    // A signed token cannot be guessed.
    features: { limit: { policy: 'public', when: ({ token }) => !isSigned(String(token)) } },
    contentType: [...new Set([...VENDOR_UPLOAD_TYPES, ...TABLE_CONTENT_TYPES, EXPORT_TYPE])],
    read: (context, { params }) => linkedFile(context, params.token),
    make: (io, sent) => sent(io),
  }),
]
