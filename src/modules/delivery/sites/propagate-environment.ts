// Sites follow the addresses of environments. Reads the environments as they are now, so that late and repeated jobs
// end alike: a domain belongs to the environment in production that has it, or else to the oldest of the others.
import { canonicalDomain } from '#modules/delivery/licenses/license-domain.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { openSite, relink } from './open-site.ts'
import { sites } from './queries.ts'

export const propagateEnvironment = eventJobKind('sites/propagate-environment')

export const propagateEnvironmentJob = organizationJob(propagateEnvironment, {
  run: (ctx, { payload }) => linkAddress(ctx, payload.resource_id),
})

/** Looks at the domain that the environment has now, and at those that it had. */
async function linkAddress(ctx: OrganizationContext, environmentId: number): Promise<void> {
  const environmentAt = new Map<string, number>()
  const domains = new Set((await sites.domainsAt(ctx, environmentId)).map(({ domain }) => domain))
  for (const { id, url } of await sites.addresses(ctx)) {
    const domain = canonicalDomain(url)
    if (domain === null) continue
    if (id === environmentId) domains.add(domain)
    if (!environmentAt.has(domain)) environmentAt.set(domain, id)
  }
  for (const domain of domains) await link(ctx, domain, environmentAt.get(domain) ?? null)
}

async function link(ctx: OrganizationContext, domain: string, environment_id: number | null): Promise<void> {
  const site = await sites.ofDomain(ctx, domain)
  if (site?.environment_id === environment_id) return
  if (site) await relink(ctx, site.id, { license_ids: site.license_ids, environment_id })
  else await openSite(ctx, domain, { environment_id })
}
