// PATCH and DELETE /sites/{id}. What licenses and environments keep up to date is changed at those.
import { remove, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { isLinked } from './open-site.ts'
import { sites } from './queries.ts'
import { type SiteChange, type SiteDetail, type SiteRow, sitesTable } from './site.ts'

/** 409 for `inactive` while a license or an environment is at the site. */
export async function changeSite(ctx: OrganizationContext, id: number, body: SiteChange): Promise<SiteDetail> {
  const values = ownBody(ctx, body)
  const site = await sites.find(ctx, id)
  if (!site) throw notFound()
  if (values.status === 'inactive') assertFree(site)
  await update(ctx, sitesTable, id, values)
  return sites.detail(ctx, id)
}

export async function removeSite(ctx: OrganizationContext, id: number): Promise<void> {
  const site = await sites.find(ctx, id)
  if (!site) throw notFound()
  assertFree(site)
  await sites.removeReports(ctx, site.domain)
  await remove(ctx, sitesTable, id)
}

function assertFree(site: SiteRow): void {
  if (!isLinked(site)) return
  const [license] = site.license_ids
  if (license !== undefined)
    throw conflict(
      'license_active_on_site',
      `License ${license} is active on the site; deactivate ${site.domain} first`,
    )
  throw conflict(
    'environment_at_site',
    `Environment ${site.environment_id} is at the site; change its url or decommission it first`,
  )
}
