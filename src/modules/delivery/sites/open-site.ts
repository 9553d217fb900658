// Adds a site, and keeps its links: a site with a license or an environment is active, one that loses the last is not.
import { randomBytes } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { domainFrom } from '#modules/delivery/licenses/license-domain.ts'
import { sites } from './queries.ts'
import { type NewSite, type SiteDetail, type SiteRow, sitesTable } from './site.ts'

const CHALLENGE_BYTES = 24

export type Links = { license_ids: number[]; environment_id: number | null }

/** POST /sites. Licenses and environments of the domain would have added it. */
export async function addSite(ctx: OrganizationContext, body: NewSite): Promise<SiteDetail> {
  const { domain: text, ...values } = ownBody(ctx, body)
  const domain = domainFrom(text)
  if (await sites.ofDomain(ctx, domain)) throw conflict('domain_taken', `There is a site ${domain} already`)
  const { id } = await openSite(ctx, domain, values)
  return sites.detail(ctx, id)
}

export function openSite(
  ctx: OrganizationContext,
  domain: string,
  values: Partial<Pick<SiteRow, 'name' | 'platform'> & Links>,
): Promise<SiteRow> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  // People read the name, so it is not in the ASCII form of an international domain.
  const opened = { name: domainToUnicode(domain) || domain, ...values, domain, challenge }
  return insert(ctx, sitesTable, opened)
}

export const isLinked = ({ license_ids, environment_id }: Links): boolean =>
  license_ids.length > 0 || environment_id !== null

export const relink = (ctx: OrganizationContext, id: number, links: Links): Promise<SiteRow> =>
  update(ctx, sitesTable, id, { ...links, status: isLinked(links) ? 'active' : 'inactive' })
