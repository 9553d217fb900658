// POST /downloads/latest: what an updater may install, by license key. One statement finds the key over all
// organizations and the newest release that the entitlement of its license covers.
import { testClockOf } from '#kernel/access/access-check.ts'
import { Type, type Static } from 'typebox'
import { ReleaseChannel } from '#modules/delivery/entitlements/entitlement.ts'
import { licenseOfKey, refusalOfKey } from '#modules/delivery/licenses/validate-license.ts'
import { domainFrom } from '#modules/delivery/licenses/license-domain.ts'
import { KEY_REFUSALS, LicenseQuestion } from '#modules/delivery/licenses/license.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { Closed, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { linkMinutes } from '#modules/documents/files/signed-link.ts'
import { downloadLink } from './download-link.ts'
import { type Candidate, newestFor } from './queries.ts'
import { Architecture, DownloadLink, Platform, Release, ReleaseFile } from './release.ts'
import { Version, versionKey } from './version.ts'

export const UpdateQuestion = Closed({
  license_key: LicenseQuestion.properties.license_key,
  domain: Type.Optional({
    ...LicenseQuestion.properties.domain,
    description: 'Where it is installed; when given, the key must be valid for it',
  }),
  channel: Type.Optional({
    ...ReleaseChannel,
    description: '`beta` offers stable releases too; `stable` when not given',
  }),
  platform: Platform,
  architecture: Architecture,
  current_version: Type.Optional(Version),
})
export type UpdateQuestion = Static<typeof UpdateQuestion>

const REASONS = ['update_available', 'up_to_date', 'no_release', 'updates_ended', ...KEY_REFUSALS] as const
type Reason = (typeof REASONS)[number]

export const UpdateAnswer = Type.Object(
  {
    update_available: Type.Boolean(),
    reason: Type.Enum(REASONS, {
      description:
        '`no_release`: none for this platform and channel; `updates_ended`: nothing newer, and the update ' +
        'period is over; the rest are those of `/licenses/validate`',
      examples: ['update_available'],
    }),
    version: Nullable(Version),
    channel: Nullable(ReleaseChannel),
    released_at: Nullable(Timestamp),
    release_notes: Release.properties.release_notes,
    release_notes_by_language: Nullable(Release.properties.release_notes_by_language),
    file: Nullable(ReleaseFile),
    url: Nullable(DownloadLink.properties.url),
    expires_at: Nullable({ ...Timestamp, description: 'End of the link' }),
  },
  { description: 'Whether there is a newer release; without one the rest is null' },
)
export type UpdateAnswer = Static<typeof UpdateAnswer>

export function latestRelease(context: ReadContext, question: UpdateQuestion): ReadPlan<UpdateAnswer> {
  const { now } = context
  const { license_key, domain, current_version } = question
  const host = domain === undefined ? null : domainFrom(domain)
  const newest = newestFor(licenseOfKey(license_key), question, now)
  return parts([newest, linkMinutes(context)], ([[found], [time = { minutes: 0 }]], asked) => {
    const at = testClockOf(found) ?? now
    const refusal = refusalOfKey(found, host, at)
    if (!found || refusal !== null) return { ...NOTHING, reason: refusal ?? 'unknown_key' }
    if (!found.file || !isNewer(found.version, current_version)) return { ...NOTHING, reason: reasonOf(found, at) }
    const { version, channel, released_at, release_notes, release_notes_by_language, file } = found
    const release = { version, channel, released_at, release_notes, release_notes_by_language, file }
    const link = downloadLink(asked, { organizationId: found.organization_id, id: file.id, ...time })
    return { update_available: true, reason: 'update_available', ...release, ...link }
  })
}

const NOTHING = {
  update_available: false,
  version: null,
  channel: null,
  released_at: null,
  release_notes: null,
  release_notes_by_language: null,
  file: null,
  url: null,
  expires_at: null,
}

const isNewer = (version: string | null, current: string | undefined): boolean =>
  version !== null && (current === undefined || versionKey(version) > versionKey(current))

/** Why there is nothing newer. */
function reasonOf({ version, updates_until }: Candidate, now: Date): Reason {
  if (updates_until !== null && new Date(updates_until) < now) return 'updates_ended'
  return version === null ? 'no_release' : 'up_to_date'
}
