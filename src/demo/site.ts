// The demo's site: a license that is active on the organization's website, and what its product reports from there.
import { activateLicense } from '#modules/delivery/licenses/activate-license.ts'
import { licenses } from '#modules/delivery/licenses/queries.ts'
import { linkDomains } from '#modules/delivery/sites/propagate-license.ts'
import { keepReport } from '#modules/delivery/sites/report-site.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'

type LicensedSite = { id: number; organization_id: number; website: string }

export async function demoSite(ctx: OrganizationContext): Promise<void> {
  const { website, ...license } = await one(
    ctx,
    sql<LicensedSite>`
      select l.id, l.organization_id, o.website from licenses l
        join (select * from organizations where organization_id = ${ctx.organizationId}
          and id = ${ctx.organizationId}) o on true
       where l.organization_id = ${ctx.organizationId} order by l.id limit 1`,
  )
  const { data } = await activateLicense(ctx, await licenses.forChange(ctx, license.id), website)
  // Here and not by its job, so that the site gets the first id; the job then finds it done.
  await linkDomains(ctx, license.id)
  const runs = { version: '4.2.0', platform: 'wordpress', platform_version: '6.8.1' }
  await keepReport(ctx, license, { domain: data.domain, ...runs })
}
