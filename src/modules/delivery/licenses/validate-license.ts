// POST /licenses/validate: for installed products. One round trip finds the key over all organizations; all unknown
// keys get the same answer. Whatever else a product asks with its key is judged in the same way.
import { testClockOf } from '#kernel/access/access-check.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { hasEnded } from './activate-license.ts'
import { keyDigest } from './change-license.ts'
import { domainFrom, isFree } from './license-domain.ts'
import { typedKey } from './issue-license.ts'
import type { KeyRefusal, LicenseAnswer } from './license.ts'
import { licenses, type ValidatedLicense } from './queries.ts'

export type { ValidatedLicense } from './queries.ts'

export function validateLicense(text: string, domainText: string): ReadPlan<LicenseAnswer> {
  const domain = domainFrom(domainText)
  return parts([licenseOfKey(text)], ([[license]], { now }) => answerTo(license, domain, now))
}

/** The license of a key, over all organizations; of a replaced key too. */
export function licenseOfKey(text: string): Statement<ValidatedLicense> {
  const key = typedKey(text)
  return licenses.byKey(key, keyDigest(key))
}

export function answerTo(license: ValidatedLicense | undefined, domain: string, now: Date): LicenseAnswer {
  const refusal = refusalOfKey(license, domain, testClockOf(license) ?? now)
  const valid = license?.activated_domains.includes(domain) ? 'activated' : 'staging'
  const { product_name = null, expires_at = null } = license?.is_current ? license : {}
  return { valid: refusal === null, reason: refusal ?? valid, product_name, expires_at }
}

/** Null when the key is valid; without a domain the domains do not count. */
export function refusalOfKey(
  license: ValidatedLicense | undefined,
  domain: string | null,
  now: Date,
): KeyRefusal | null {
  if (!license) return 'unknown_key'
  if (!license.is_current) return 'key_replaced'
  if (license.status !== 'active') return license.status
  if (hasEnded(license, now)) return 'expired'
  if (domain === null || license.activated_domains.includes(domain) || isFree(domain, license.hosted)) return null
  return 'not_activated'
}
