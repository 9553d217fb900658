// Activates and deactivates a license on a domain. Check and change cannot race, because an organization has one
// writing transaction at a time; a database constraint also checks the limit.
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { domainFrom, isFree } from './license-domain.ts'
import { type Activation, type License, licensesTable } from './license.ts'
import type { LicenseForChange } from './queries.ts'

const MOST_STAGING_DOMAINS = 100

type ActivationResult = { data: Activation; changed: boolean }

/** The license is locked. 409 unless it is active and not expired. An active domain is counted once. */
export async function activateLicense(
  ctx: OrganizationContext,
  license: LicenseForChange | undefined,
  text: string,
): Promise<ActivationResult> {
  const domain = domainFrom(text)
  if (!license) throw notFound()
  const { id } = license
  if (license.status !== 'active')
    throw conflict('status_not_allowed', `A license that is ${license.status} activates no domain`)
  if (hasEnded(license, ctx.now)) throw conflict('license_expired', 'The license has expired')
  const { activated_domains: active, staging_domains: staging } = license
  const isFreeNow = isFree(domain, license.hosted)
  if ((isFreeNow ? staging : active).includes(domain)) return { data: activation(license, domain), changed: false }
  if (isFreeNow) {
    if (staging.length >= MOST_STAGING_DOMAINS)
      throw conflict('limit_reached', `A license has at most ${MOST_STAGING_DOMAINS} staging domains`)
    // One that took a slot before gives it back.
    const domains = { activated_domains: without(active, domain), staging_domains: [...staging, domain] }
    return changed(await update(ctx, licensesTable, id, domains, licensesTable.events.activated), domain)
  }
  if (active.length >= license.activations_limit)
    throw conflict(
      'activation_limit_reached',
      `The license is active on ${active.length} of ${license.activations_limit} domains; deactivate one`,
    )
  // A former staging domain that is in production now takes a slot like any other.
  const domains = { activated_domains: [...active, domain], staging_domains: without(staging, domain) }
  return changed(await update(ctx, licensesTable, id, domains, licensesTable.events.activated), domain)
}

/** Allowed in every state of the license, which is locked. */
export async function deactivateLicense(
  ctx: OrganizationContext,
  license: LicenseForChange | undefined,
  text: string,
): Promise<ActivationResult> {
  const domain = domainFrom(text)
  if (!license) throw notFound()
  const { id, activated_domains: active, staging_domains: staging } = license
  if (!active.includes(domain) && !staging.includes(domain)) throw notFound('The license is not active on this domain')
  const domains = { activated_domains: without(active, domain), staging_domains: without(staging, domain) }
  return changed(await update(ctx, licensesTable, id, domains, licensesTable.events.deactivated), domain)
}

/** One that waits for the next payment has not: it is suspended with its entitlement when that does not come. */
export const hasEnded = ({ expires_at: end, renews }: Pick<License, 'expires_at' | 'renews'>, now: Date): boolean =>
  end !== null && !renews && new Date(end) <= now

const changed = (license: License, domain: string): ActivationResult => ({
  data: activation(license, domain),
  changed: true,
})

const without = (domains: readonly string[], domain: string): string[] => domains.filter((one) => one !== domain)

const activation = ({ id, activations_count, activations_limit }: License, domain: string): Activation => ({
  license_id: id,
  domain,
  activations_count,
  activations_limit,
})
