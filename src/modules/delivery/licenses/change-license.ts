// Moves of a license by staff, its limit, and the rotation of its key, each with a reason for the history.
import { move, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { ownBody } from '#http/organization-body.ts'
import { integrationOf } from '#kernel/values/integration.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { endWithin, licenseKey } from './issue-license.ts'
import {
  type License,
  type LicenseChange,
  licenseMoves,
  type LicenseReason,
  type LicenseRenewal,
  licensesTable,
} from './license.ts'
import { type Issuable, licenses } from './queries.ts'

/** The context with the body's reason for the audit log. */
const withReason = (ctx: OrganizationContext, body: LicenseReason): OrganizationContext => ({
  ...ctx,
  reason: ownBody(ctx, body).reason ?? null,
})

const moved =
  (act: MoveOf<typeof licensesTable>, marks: Partial<License> = {}) =>
  (ctx: OrganizationContext, id: number, body: LicenseReason) =>
    move(withReason(ctx, body), licensesTable, id, act, { ...marks, suspended_with_entitlement: false })

export const suspendLicense = moved(licenseMoves.suspend)
export const revokeLicense = moved(licenseMoves.revoke, { renews: false })

export async function resumeLicense(ctx: OrganizationContext, id: number, body: LicenseReason): Promise<License> {
  const acting = withReason(ctx, body)
  await activeEntitlementOf(ctx, id)
  return moved(licenseMoves.resume)(acting, id, body)
}

/** For a license that ended before its entitlement; the others are renewed with the entitlement. */
export async function renewLicense(ctx: OrganizationContext, id: number, body: LicenseRenewal): Promise<License> {
  const acting = withReason(ctx, body)
  const { expiresAt, renews } = endWithin(ctx, await activeEntitlementOf(ctx, id), body.expires_at ?? null)
  const end = { expires_at: expiresAt, renews }
  return move(acting, licensesTable, id, licenseMoves.renew, { ...end, suspended_with_entitlement: false })
}

async function activeEntitlementOf(ctx: OrganizationContext, id: number): Promise<Issuable> {
  const entitlement = await licenses.entitlementOf(ctx, id)
  if (entitlement.status !== 'active')
    throw conflict(
      'entitlement_not_active',
      `The license follows its entitlement ${entitlement.code}, which is ${entitlement.status}`,
    )
  return entitlement
}

/**
 * The limit with its reason, and what other systems keep with the license, in any of its states. 409 below the number
 * of active domains, so that staff choose which domains to deactivate.
 */
export async function changeLicense(ctx: OrganizationContext, id: number, body: LicenseChange): Promise<License> {
  const { activations_limit } = body
  const acting = withReason(ctx, body)
  const { activations_count, status } = await licenses.forChange(ctx, id)
  if (activations_limit === undefined) return update(acting, licensesTable, id, integrationOf(body))
  if (status === 'revoked') throw conflict('status_not_allowed', 'A license that is revoked has no limit to change')
  if (activations_limit < activations_count)
    throw conflict(
      'activations_exceed_limit',
      `The license is active on ${activations_count} domains; deactivate some first`,
    )
  return update(
    acting,
    licensesTable,
    id,
    { activations_limit, ...integrationOf(body) },
    licensesTable.events.limit_changed,
  )
}

const KEYS_REMEMBERED = 50

/** The old key is invalid from the commit on. The domains stay active, but need the new key. */
export async function rotateKey(ctx: OrganizationContext, id: number, body: LicenseReason): Promise<License> {
  const acting = withReason(ctx, body)
  const { status, license_key, replaced_key_digests } = await licenses.forChange(ctx, id)
  if (status !== 'active' && status !== 'suspended')
    throw conflict('status_not_allowed', `A license that is ${status} gets no new key`)
  const replaced = [...replaced_key_digests, keyDigest(license_key)].slice(-KEYS_REMEMBERED)
  const values = { license_key: licenseKey(), replaced_key_digests: replaced }
  return update(acting, licensesTable, id, values, licensesTable.events.key_rotated)
}

export const keyDigest = (key: string): string => digest(key).toString('hex')

/** For the expiry job: does nothing when the license was renewed meanwhile. */
export async function expireLicense(ctx: OrganizationContext, id: number): Promise<void> {
  if (await first(ctx, licenses.isDue(ctx.organizationId, id, ctx.now))) await endLicense(ctx, id)
}

/** Also marks the license if a renewal of its entitlement is to renew it. */
export async function endLicense(ctx: OrganizationContext, id: number): Promise<void> {
  const along = await licenses.endsAlong(ctx, id)
  await move(ctx, licensesTable, id, licenseMoves.expire, { suspended_with_entitlement: along })
}
