// Releases of the vendor's products and their files (docs/interface/delivery.md, Downloads). They belong to no
// organization (docs/decisions/0038).
import { Type, type Static } from 'typebox'
import { ReleaseChannel } from '#modules/delivery/entitlements/entitlement.ts'
import { moves } from '#kernel/data/moves.ts'
import { AnyOf, Closed, Id, Name, Nullable, Pages, Text, Timestamp } from '#kernel/values/schema.ts'
import { Version } from './version.ts'

export const STATUSES = ['draft', 'published', 'yanked'] as const
const ReleaseStatus = Type.Enum(STATUSES, { examples: ['published'] })

export const releaseMoves = moves(STATUSES, {
  publish: { from: ['draft'], to: 'published' },
  yank: { from: ['published'], to: 'yanked' },
  restore: { from: ['yanked'], to: 'published', event: 'restored' },
})

export const Platform = Type.Enum(['linux', 'macos', 'windows', 'any'], { examples: ['linux'] })
export const Architecture = Type.Enum(['x64', 'arm64', 'any'], { examples: ['x64'] })

const Size = Type.Integer({ minimum: 1, description: 'Bytes', examples: [146_515] })
const Sha256 = Type.String({ examples: ['47dccf5b6e1c5f6a0f5e0c3f6f0c8c0d0f9d5a1f0a7b6c5d4e3f2a1b0c9d8e7f'] })
const Signature = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Detached signature of the file as text: minisign, OpenPGP, Ed25519',
})

export const ReleaseFile = Type.Object(
  {
    id: Id,
    platform: Platform,
    architecture: Architecture,
    file_name: Name,
    content_type: Type.String({ examples: ['application/zip'] }),
    size: Size,
    sha256: Sha256,
    signature: Nullable(Signature),
  },
  { description: 'A file of a release' },
)
export type ReleaseFile = Static<typeof ReleaseFile>

const NotesByLanguage = Type.Object(
  { en: Nullable(Text), 'pt-BR': Nullable(Text) },
  { description: 'The release notes in each language' },
)
const notes = {
  release_notes: Nullable({ ...Text, description: 'In English, or in Portuguese where there are none in English' }),
  release_notes_by_language: NotesByLanguage,
}

/** Of the entitlements that cover a release, an answer names no more. */
export const MOST_COVERING = 100

export const Release = Type.Object(
  {
    id: Id,
    product_id: Id,
    product_name: Name,
    version: Version,
    channel: ReleaseChannel,
    status: ReleaseStatus,
    released_at: Nullable({ ...Timestamp, description: 'Null until a draft is published, if staff set no other time' }),
    ...notes,
    yank_reason: Nullable(Type.String({ description: 'Why it is offered no more' })),
    file_name: Nullable({ ...Name, description: 'Of the first file; so are the next two' }),
    size: Nullable(Size),
    sha256: Nullable(Sha256),
    files: Type.Array(ReleaseFile),
    entitlement_ids: Type.Array(Id, {
      maxItems: MOST_COVERING,
      description: `The entitlements of the organization that cover it, the oldest ${MOST_COVERING}`,
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A release of a product' },
)
export type Release = Static<typeof Release>

const given = {
  channel: Type.Optional(ReleaseChannel),
  released_at: Type.Optional(
    Nullable({ ...Timestamp, description: 'Not in the future; when it is published if null' }),
  ),
  release_notes: Type.Optional(Nullable({ ...Text, description: 'In English' })),
  release_notes_by_language: Type.Optional(
    Closed({ en: Type.Optional(Nullable(Text)), 'pt-BR': Type.Optional(Nullable(Text)) }),
  ),
}
export const NewRelease = Closed({ organization_id: Type.Optional(Id), product_id: Id, version: Version, ...given })
export type NewRelease = Static<typeof NewRelease>

export const ReleaseChange = Closed({
  organization_id: Type.Optional(Id),
  version: Type.Optional(Version),
  ...given,
})
export type ReleaseChange = Static<typeof ReleaseChange>

export const Yank = Closed({
  organization_id: Type.Optional(Id),
  reason: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Visible to customers' }),
})

export const NewReleaseFile = Closed({
  organization_id: Type.Optional(Id),
  platform: Platform,
  architecture: Architecture,
  signature: Type.Optional(Signature),
})
export type NewReleaseFile = Static<typeof NewReleaseFile>

export const ReleaseFilters = Closed({
  ...Pages,
  product_id: Type.Optional(Id),
  channel: Type.Optional(ReleaseChannel),
  status: AnyOf(ReleaseStatus),
  platform: Type.Optional({ ...Platform, description: 'With a file for it, or for any' }),
})
export type ReleaseFilters = Static<typeof ReleaseFilters>

export const LinkRequest = Closed({
  file_id: Type.Optional({ ...Id, description: 'Needed where the release has several files' }),
})

export const DownloadLink = Type.Object(
  {
    url: Type.String({ examples: ['https://api.acme.example/api/v1/files/1.7.1795000000.c2ln'] }),
    expires_at: Timestamp,
  },
  { description: 'A link that needs no credentials' },
)
export type DownloadLink = Static<typeof DownloadLink>

export const DownloadCount = Type.Object(
  {
    id: Id,
    organization_id: Id,
    organization_name: Name,
    file_id: Id,
    file_name: Name,
    downloads: Type.Integer({ minimum: 1, examples: [3] }),
    last_downloaded_at: Timestamp,
  },
  { description: 'How often an organization has downloaded a file' },
)
