// Signed links to the files of releases, for organizations that are entitled to them. What they lead to is checked
// again when they are used, so that a link ends with the release, the entitlement and the organization.
import { fileAnswer, type FileOpener } from '#modules/documents/files/file-answer.ts'
import { linkMinutes, readLinkToken, signedLink } from '#modules/documents/files/signed-link.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { type CallerContext, parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { releases, type LinkedFile } from './queries.ts'
import type { DownloadLink, Release } from './release.ts'

const PURPOSE = 'release-file'

/** Of one organization to one file. */
export const downloadLink = (
  asked: CallerContext,
  of: { organizationId: number; id: number; minutes: number },
): DownloadLink => signedLink(asked, { purpose: PURPOSE, ...of })

export const linkToRelease = (
  context: ReadContext,
  { id, fileId }: { id: number; fileId: number | undefined },
): ReadPlan<DownloadLink> => {
  const { org, now } = context
  return parts([releases.one(org, id, now), linkMinutes(context)], ([[release], [time]], asked) => {
    if (!release || !time) throw notFound()
    return downloadLink(asked, { organizationId: org, id: linkedFileOf(release, fileId), ...time })
  })
}

function linkedFileOf({ status, files, entitlement_ids }: Release, fileId: number | undefined): number {
  if (status !== 'published') throw conflict('status_not_allowed', `A release that is ${status} is not downloaded`)
  if (entitlement_ids.length === 0)
    throw conflict('not_entitled', 'No entitlement of the organization covers the release')
  if (fileId === undefined && files.length > 1) throw invalid({ file_id: 'is required; the release has several files' })
  const file = files.find(({ id }) => id === fileId || fileId === undefined)
  if (!file) throw notFound('File not found')
  return file.id
}

/** Null for a token of another purpose. */
export function linkedRelease({ ports, now }: ReadContext, token: string): ReadPlan<FileOpener> | null {
  const link = readLinkToken(ports, PURPOSE, { token, now })
  if (!link) return null
  const { organizationId, id } = link
  return parts([releases.linkedFile(organizationId, id, now)], ([[file]]) => {
    if (!file) throw notFound()
    return async (io) => sentRelease(io, { ...file, organizationId })
  })
}

/** Counted when the first byte is sent, so that a download that goes on after a break counts once. */
const sentRelease = (io: IoContext, file: LinkedFile & { organizationId: number }): FileAnswer =>
  fileAnswer(io, file, {
    fileName: file.file_name,
    beforeSending: async (range) => {
      if ((range?.start ?? 0) === 0) await io.read(releases.count(file.organizationId, file.id, io.now))
    },
  })
