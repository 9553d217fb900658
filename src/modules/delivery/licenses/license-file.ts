// GET /licenses/{id}/file: a signed license for products without network access. It is valid for a short time, because
// it cannot be revoked (docs/licenses.md, License files).
import { conflict, notFound } from '#kernel/values/errors.ts'
import { parts, type CallerContext, type ReadContext, type ReadPlan } from '#http/route.ts'
import { hasEnded } from './activate-license.ts'
import { type EnvironmentUrl, isFree, stagingHosts } from './license-domain.ts'
import type { License, LicenseFile } from './license.ts'
import { licenses } from './queries.ts'

const DAY_MS = 86_400_000
const seconds = (time: number): number => Math.floor(time / 1000)

export const licenseFile = ({ org, ports: { settings } }: ReadContext, id: number): ReadPlan<LicenseFile> =>
  parts([licenses.forFile(settings, org, id)], ([[license]], caller) => signed(license, caller))

type LicenseWithHosts = License & { hosted: EnvironmentUrl[]; file_days: number }

function signed(license: LicenseWithHosts | undefined, { now, ports }: CallerContext): LicenseFile {
  if (!license) throw notFound()
  if (license.status !== 'active')
    throw conflict('status_not_allowed', `A license that is ${license.status} has no file`)
  if (hasEnded(license, now)) throw conflict('license_expired', 'The license has expired')
  const { settings, licenseKeys } = ports
  const latest = now.getTime() + license.file_days * DAY_MS
  const ends = license.expires_at === null ? Infinity : Date.parse(license.expires_at)
  // Past its end it waits for the next payment.
  const end = ends > now.getTime() ? Math.min(latest, ends) : latest
  const hosts = stagingHosts(license.hosted)
  // A staging domain that is in production now would need a slot, so it is left out.
  const staging = license.staging_domains.filter((domain) => isFree(domain, license.hosted))
  const content = licenseKeys.sign('titular-license', {
    iss: settings.issuer,
    sub: String(license.id),
    iat: seconds(now.getTime()),
    exp: seconds(end),
    license_key: license.license_key,
    product_name: license.product_name,
    entitlement_code: license.entitlement_code,
    activations_limit: license.activations_limit,
    domains: [...new Set([...license.activated_domains, ...staging, ...hosts])],
    license_expires_at: license.expires_at,
  })
  return {
    file_name: `license-${license.id}.lic`,
    content,
    key_id: licenseKeys.keyId,
    expires_at: new Date(seconds(end) * 1000).toISOString(),
  }
}
