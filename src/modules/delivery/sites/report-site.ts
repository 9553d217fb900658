// POST /sites/report: an installed product says that it lives, and in which version. A report is for sites that are
// known; it adds none, and it is written only when it says something new (docs/interface/delivery.md).
import { type Acting, first, type SystemContext } from '#kernel/data/context.ts'
import { domainFrom } from '#modules/delivery/licenses/license-domain.ts'
import type { LicenseAnswer } from '#modules/delivery/licenses/license.ts'
import { answerTo, licenseOfKey } from '#modules/delivery/licenses/validate-license.ts'
import { sites } from './queries.ts'
import type { SiteReport } from './site.ts'

/** Reports that repeat one of so recent a time are not written, so `last_seen_at` may be as much late. */
const REPEATED_MS = 600_000

/** The answer is that of POST /licenses/validate, and does not say whether the report was kept. */
export async function reportSite(ctx: SystemContext, report: SiteReport): Promise<LicenseAnswer> {
  const domain = domainFrom(report.domain)
  const license = await first(ctx, licenseOfKey(report.license_key))
  if (license?.is_current) await keepReport(ctx, license, { ...report, domain })
  return answerTo(license, domain, ctx.now)
}

/** Does nothing where the license is not active, unless the organization has a site there. */
export async function keepReport(
  ctx: Acting,
  license: { id: number; organization_id: number },
  { domain, version, platform = null, platform_version = null }: Omit<SiteReport, 'license_key'>,
): Promise<void> {
  const freshSince = new Date(ctx.now.getTime() - REPEATED_MS)
  await sites.keepReport(ctx, license, { domain, version, platform, platform_version, freshSince })
}
