// Signed links to exports. What they lead to is looked up again when they are used, so that a link ends with the file.
import { fileAnswer, type FileOpener } from '#modules/documents/files/file-answer.ts'
import { linkMinutes, readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import type { ExportLink, OwnedFile } from './export.ts'
import { organizationExports, personExports } from './queries.ts'
import { EXPORT_TYPE } from './write-export.ts'

/** `owner`: the id of the person or of the organization whose export it is; that of the row where staff ask (null). */
type Kind<Owner> = { purpose: string; file: (owner: Owner, id: number) => Statement<OwnedFile> }

export const OF_PERSON: Kind<number | null> = {
  purpose: 'person-export',
  file: (owner, id) => personExports.file(id, owner),
}
export const OF_ORGANIZATION: Kind<number> = {
  purpose: 'organization-export',
  file: organizationExports.linked,
}

export const linkTo = <Owner>(
  kind: Kind<Owner>,
  context: ReadContext,
  asked: { owner: Owner; id: number },
): ReadPlan<ExportLink> =>
  parts([kind.file(asked.owner, asked.id), linkMinutes(context)], ([[found], [time]]) => {
    if (!found || !time) throw notFound()
    const { id, owner: organizationId } = found
    if (found.storage_key === null) throw conflict('status_not_allowed', 'The export is not completed, or has expired')
    return signedLink(context, { purpose: kind.purpose, organizationId, id, ...time })
  })

/** Null for a token of another purpose. */
const linkedTo =
  (kind: Kind<number>) =>
  ({ ports, now }: ReadContext, token: string): ReadPlan<FileOpener> | null => {
    const link = readLinkToken(ports, kind.purpose, { token, now })
    if (!link) return null
    return parts([kind.file(link.organizationId, link.id)], ([[found]]) => {
      const { storage_key = null, size = null, sha256 = null } = found ?? {}
      if (storage_key === null || size === null || sha256 === null) throw notFound()
      const file = { storage_key, size, sha256, content_type: EXPORT_TYPE }
      return async (io) => fileAnswer(io, file, { fileName: `export-${link.id}.ndjson.gz` })
    })
  }
export const linkedPersonExport = linkedTo(OF_PERSON)
export const linkedOrganizationExport = linkedTo(OF_ORGANIZATION)
