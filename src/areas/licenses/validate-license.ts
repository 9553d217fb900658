// POST /licenses/validate: for installed products. One round trip finds the key over all organizations; all unknown
// keys get the same answer.
import type { Statement } from '#kernel/data/sql.ts'
import { parts, type ReadPlan } from '#kernel/http/route.ts'
import { hasEnded } from './activate-license.ts'
import { keyDigest } from './change-license.ts'
import { domainFrom, isFree } from './license-domain.ts'
import { typedKey } from './issue-license.ts'
import type { LicenseAnswer } from './license.ts'
import { licenses, type Validated } from './queries.ts'

export function validateLicense(text: string, domainText: string): ReadPlan<LicenseAnswer> {
  const domain = domainFrom(domainText)
  return parts([licenseOfKey(text)], ([[license]], { now }) => answerTo(license, domain, now))
}

/** The license of a key, over all organizations; of a replaced key too. */
export function licenseOfKey(text: string): Statement<Validated> {
  const key = typedKey(text)
  return licenses.byKey(key, keyDigest(key))
}

export function answerTo(license: Validated | undefined, domain: string, now: Date): LicenseAnswer {
  const nothing = { valid: false, product_name: null, expires_at: null }
  if (!license) return { ...nothing, reason: 'unknown_key' }
  if (!license.is_current) return { ...nothing, reason: 'key_replaced' }
  const { product_name, expires_at } = license
  const reason = reasonOf(license, domain, now)
  return { valid: reason === 'activated' || reason === 'staging', reason, product_name, expires_at }
}

function reasonOf(license: Validated, domain: string, now: Date): LicenseAnswer['reason'] {
  if (license.status !== 'active') return license.status
  if (hasEnded(license, now)) return 'expired'
  if (license.activated_domains.includes(domain)) return 'activated'
  return isFree(domain, license.hosted) ? 'staging' : 'not_activated'
}
