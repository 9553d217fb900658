// Sites follow the domains of licenses. Reads the license as it is now, so that late and repeated jobs end alike.
import { licensesTable } from '#modules/delivery/licenses/license.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { openSite, relink } from './open-site.ts'
import { type LicensedDomain, sites } from './queries.ts'

/** Enough for all but a license whose many domains are brought in at once; the rest is another job's. */
const BATCH = 200

export const propagateLicense = eventJobKind('sites/propagate-license')

export const propagateLicenseJob = organizationJob(propagateLicense, {
  run: async (ctx, { payload }) => {
    if (await linkDomains(ctx, payload.resource_id)) return
    // The key of the jobs of this license's events.
    const key = [propagateLicense.name, licensesTable.resource, payload.resource_id, ctx.organizationId].join(':')
    await enqueue(ctx, propagateLicense, payload, { key })
  },
})

/** False when there is more to do. A revoked license is active nowhere. */
export async function linkDomains(ctx: OrganizationContext, licenseId: number): Promise<boolean> {
  const found = await sites.outOfStepWith(ctx, licenseId, BATCH)
  for (const one of found) await link(ctx, licenseId, one)
  return found.length < BATCH
}

async function link(ctx: OrganizationContext, licenseId: number, one: LicensedDomain): Promise<void> {
  const { id, domain, is_wanted, license_ids, environment_id } = one
  const others = (license_ids ?? []).filter((other) => other !== licenseId)
  const linked = is_wanted ? [...others, licenseId].toSorted((a, b) => a - b) : others
  if (id === null) await openSite(ctx, domain, { license_ids: linked })
  else await relink(ctx, id, { license_ids: linked, environment_id })
}
