// POST /sites/report: an installed product says that it lives, and in which version. A report is for sites that are known;
// it adds none, and it is written only when it says something new (docs/decisions/0039).
import { type Acting, first } from '#kernel/data/context.ts'
import { domainFrom } from '#areas/licenses/license-domain.ts'
import type { LicenseAnswer } from '#areas/licenses/license.ts'
import { answerTo, licenseOfKey } from '#areas/licenses/validate-license.ts'
import { sites } from './queries.ts'
import type { SiteReport } from './site.ts'

/** Reports that repeat one of so recent a time are not written, so `last_seen_at` may be as much late. */
const REPEATED_MS = 600_000

/** The answer is that of POST /licenses/validate, and does not say whether the report was kept. */
export async function reportSite(ctx: Acting, report: SiteReport): Promise<LicenseAnswer> {
  const domain = domainFrom(report.domain)
  const license = await first(ctx, licenseOfKey(report.license_key))
  if (license?.is_current) {
    const { version, platform = null, platform_version = null } = report
    const runs = { domain, version, platform, platform_version }
    await sites.keepReport(ctx, license, { ...runs, freshSince: new Date(ctx.now.getTime() - REPEATED_MS) })
  }
  return answerTo(license, domain, ctx.now)
}
