// The site: a domain of the organization, the licenses and the environment on it, its proof, and what runs there.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Type, type Static } from 'typebox'
import { Domain, LicenseDomain, LicenseQuestion } from '#modules/delivery/licenses/license.ts'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { moves } from '#kernel/data/moves.ts'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Name, Nullable, Paging, SearchFilter, Timestamp } from '#kernel/values/schema.ts'
import { PROOF_OUTCOMES } from '#ports/site-proofs.ts'

export const STATUSES = ['active', 'inactive'] as const
export const SiteStatus = Type.Enum(STATUSES, {
  description: '`active` while a license is active on it or an environment is at it; otherwise as members set it',
  examples: ['active'],
})
export const PROOF_STATUSES = ['unverified', 'verified', 'lapsed'] as const
export const ProofStatus = Type.Enum(PROOF_STATUSES, {
  description: '`lapsed`: was verified, and the proof has gone or a later one of the domain counts',
  examples: ['unverified'],
})
export const ProofMethod = Type.Enum(['dns', 'file'], { examples: ['dns'] })

export const siteProofMoves = moves(
  PROOF_STATUSES,
  {
    verify: { from: ['unverified', 'lapsed'], to: 'verified' },
    lapse: { from: ['verified'], to: 'lapsed' },
  },
  'verification_status',
)

const Short = { ...Name, maxLength: 60 }
const Platform = { ...Short, examples: ['wordpress'] }
const Version = { ...Short, examples: ['4.2.0'] }
const PlatformVersion = { ...Short, examples: ['6.8.1'] }

export const SiteRow = Type.Object({
  id: Id,
  organization_id: Id,
  domain: Domain,
  name: Name,
  platform: Nullable(Platform),
  status: SiteStatus,
  license_ids: Type.Array(Id, { description: 'The licenses that are active on the domain' }),
  environment_id: Nullable(Id),
  verification_status: ProofStatus,
  verification_method: Nullable(ProofMethod),
  verified_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SiteRow = Static<typeof SiteRow>

export const sitesTable = table('sites', 'site', SiteRow, {
  moves: siteProofMoves,
  search: ['domain', 'name'],
  masked: ['challenge'],
  extra: ['challenge', 'proof_checked_at', 'proof_seen_at'],
  times: ['proof_checked_at', 'proof_seen_at'],
})

/** Written with each sign of life, and therefore without audit and events (docs/interface/delivery.md). */
export const SITE_REPORTS = 'site_reports'

const verification = {
  status: ProofStatus,
  method: Nullable(ProofMethod),
  verified_at: Nullable(Timestamp),
  checked_at: Nullable(Timestamp),
}

const { id, organization_id, domain, name, platform, status, license_ids, environment_id, created_at, updated_at } =
  SiteRow.properties

const site = {
  id,
  organization_id,
  domain,
  name,
  platform: { ...platform, description: 'As entered, else as last reported, else that of the environment' },
  platform_version: Nullable(PlatformVersion),
  environment_id,
  license_ids,
  status,
  version: Nullable({ ...Version, description: 'That of the product that reported last' }),
  last_seen_at: Nullable(Timestamp),
  verification: Type.Object(verification),
  created_at,
  updated_at,
}

export const Site = Type.Object(site, { description: 'A domain of the organization' })
export type Site = Static<typeof Site>

const Challenge = Type.Object(
  {
    dns_name: Type.String({ examples: ['_titular-challenge.shop.acme.example'] }),
    dns_value: Type.String({ examples: ['titular-challenge=m2b0Xw5dUe8yKc1jQv7RZkT3'] }),
    file_path: Type.String({ examples: ['/.well-known/titular-verification.txt'] }),
    file_content: Type.String({ examples: ['titular-challenge=m2b0Xw5dUe8yKc1jQv7RZkT3'] }),
  },
  { description: 'Proves the domain: a TXT record, or a file on its web server; one of the two is enough' },
)

const Running = Type.Object(
  {
    product_name: Name,
    license_id: Id,
    is_activated: Type.Boolean({ description: 'Whether the license is active on the domain' }),
    version: Version,
    platform: Nullable(Platform),
    platform_version: Nullable(PlatformVersion),
    last_seen_at: Timestamp,
  },
  { description: 'A product as it last reported from the site' },
)

export const SiteDetail = Type.Object(
  {
    ...site,
    verification: Type.Object({ ...verification, challenge: Challenge }),
    what_runs: Type.Array(Running, { description: 'The products that have reported, the last one first' }),
  },
  { description: 'A domain of the organization, with its challenge and what runs there' },
)
export type SiteDetail = Static<typeof SiteDetail>

const Outcome = Type.Enum(PROOF_OUTCOMES, { examples: ['not_found'] })
export const CheckedSite = Type.Object(
  { ...SiteDetail.properties, found: Type.Object({ dns: Outcome, file: Outcome }) },
  { description: 'The site, and what was found where the proof is expected' },
)
export type CheckedSite = Static<typeof CheckedSite>

export const NewSite = Closed({
  ...LicenseDomain.properties,
  name: Type.Optional(Name),
  platform: Type.Optional(Nullable(Platform)),
})
export type NewSite = Static<typeof NewSite>

export const SiteChange = Closed({
  organization_id: Type.Optional(Id),
  name: Type.Optional(Name),
  platform: Type.Optional(Nullable(Platform)),
  status: Type.Optional(SiteStatus),
})
export type SiteChange = Static<typeof SiteChange>

export const siteListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const SiteFilters = Closed({
  ...Paging,
  ...siteListing.parameters,
  status: Type.Optional(SiteStatus),
  verified: Type.Optional(Type.Boolean({ description: 'true: only proven domains; false: only the others' })),
  license_id: Type.Optional(Id),
  environment_id: Type.Optional(Id),
  search: SearchFilter('the domain or the name'),
})
export type SiteFilters = Static<typeof SiteFilters>
export const AdministratorsSiteFilters = acrossFilters(SiteFilters.properties)
export type AdministratorsSiteFilters = Static<typeof AdministratorsSiteFilters>

export const SiteReport = Closed({
  ...LicenseQuestion.properties,
  version: Version,
  platform: Type.Optional(Nullable(Platform)),
  platform_version: Type.Optional(Nullable(PlatformVersion)),
})
export type SiteReport = Static<typeof SiteReport>
