// Signed links to exports. What they lead to is looked up again when they are used, so that a link ends with the file.
import { fileAnswer } from '#modules/documents/files/file-answer.ts'
import { readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import type { ExportLink, OwnedFile } from './export.ts'
import { organizationExports, personExports } from './queries.ts'
import { EXPORT_TYPE } from './write-export.ts'

/** `owner`: the id of the person or of the organization whose export it is; that of the row where staff ask (null). */
type Kind<Owner> = { purpose: string; path: string; file: (owner: Owner, id: number) => Statement<OwnedFile> }

export const OF_PERSON: Kind<number | null> = {
  purpose: 'person-export',
  path: '/privacy/exports/links',
  file: (owner, id) => personExports.file(id, owner),
}
export const OF_ORGANIZATION: Kind<number> = {
  purpose: 'organization-export',
  path: '/privacy/organization-exports/links',
  file: organizationExports.linked,
}

export const linkTo = <Owner>(
  kind: Kind<Owner>,
  context: ReadContext,
  asked: { owner: Owner; id: number },
): ReadPlan<ExportLink> =>
  parts([kind.file(asked.owner, asked.id)], ([[found]]) => {
    if (!found) throw notFound()
    const { id, owner: organizationId } = found
    if (found.storage_key === null) throw conflict('status_not_allowed', 'The export is not ready, or has expired')
    return signedLink(context, kind.path, { purpose: kind.purpose, organizationId, id })
  })

type ExportFile = { id: number; storage_key: string; size: number; sha256: string }

export function followExportLink(kind: Kind<number>, { ports, now }: ReadContext, token: string): ReadPlan<ExportFile> {
  const link = readLinkToken(ports, kind.purpose, { token, now })
  if (!link) throw notFound()
  return parts([kind.file(link.organizationId, link.id)], ([[found]]) => {
    const { storage_key = null, size = null, sha256 = null } = found ?? {}
    if (storage_key === null || size === null || sha256 === null) throw notFound()
    return { id: link.id, storage_key, size, sha256 }
  })
}

export const exportContent = async (io: IoContext, file: ExportFile): Promise<FileAnswer> =>
  fileAnswer(io, { ...file, content_type: EXPORT_TYPE }, { fileName: `export-${file.id}.ndjson.gz` })
