// What staff do to a license, and the rotation of its key; each with a reason that the history keeps.
import { move, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { endWithin, licenseKey } from './issue-license.ts'
import {
  type License,
  type LicenseLimit,
  licenseMoves,
  type LicenseReason,
  type LicenseRenewal,
  licensesTable,
} from './license.ts'
import { type Issuable, licenses } from './queries.ts'

/** Why, for the audit log: of the body, which may also repeat the organization. */
const withReason = (ctx: OrganizationContext, body: LicenseReason): OrganizationContext => ({
  ...ctx,
  reason: ownBody(ctx, body).reason ?? null,
})

const moved = (act: MoveOf<typeof licensesTable>) => (ctx: OrganizationContext, id: number, body: LicenseReason) =>
  move(withReason(ctx, body), licensesTable, id, act, { suspended_with_entitlement: false })

export const suspendLicense = moved(licenseMoves.suspend)
export const revokeLicense = moved(licenseMoves.revoke)

export async function resumeLicense(ctx: OrganizationContext, id: number, body: LicenseReason): Promise<License> {
  const acting = withReason(ctx, body)
  await activeEntitlementOf(ctx, id)
  return moved(licenseMoves.resume)(acting, id, body)
}

/** One that ended before its entitlement; the others come back with it. */
export async function renewLicense(ctx: OrganizationContext, id: number, body: LicenseRenewal): Promise<License> {
  const acting = withReason(ctx, body)
  const end = endWithin(ctx, await activeEntitlementOf(ctx, id), body.expires_at ?? null)
  return move(acting, licensesTable, id, licenseMoves.renew, { expires_at: end, suspended_with_entitlement: false })
}

async function activeEntitlementOf(ctx: OrganizationContext, id: number): Promise<Issuable> {
  const entitlement = await licenses.entitlementOf(ctx, id)
  if (entitlement.status !== 'active')
    throw conflict(`The license follows its entitlement ${entitlement.code}, which is ${entitlement.status}`)
  return entitlement
}

/** Not below what is active: whoever lowers it says which sites go. */
export async function changeLimit(ctx: OrganizationContext, id: number, body: LicenseLimit): Promise<License> {
  const acting = withReason(ctx, body)
  const { activations_count, status } = await licenses.forChange(ctx, id)
  if (status === 'revoked') throw conflict('A license that is revoked has no limit to change')
  if (body.activations_limit < activations_count)
    throw conflict(`The license is active on ${activations_count} domains; deactivate some first`)
  return update(
    acting,
    licensesTable,
    id,
    { activations_limit: body.activations_limit },
    licensesTable.events.limit_changed,
  )
}

const KEYS_REMEMBERED = 50

/** The old key is refused from the commit on; the domains stay active and need the new one. */
export async function rotateKey(ctx: OrganizationContext, id: number, body: LicenseReason): Promise<License> {
  const acting = withReason(ctx, body)
  const { status, license_key, replaced_key_digests } = await licenses.forChange(ctx, id)
  if (status !== 'active' && status !== 'suspended') throw conflict(`A license that is ${status} gets no new key`)
  const replaced = [...replaced_key_digests, keyDigest(license_key)].slice(-KEYS_REMEMBERED)
  const values = { license_key: licenseKey(), replaced_key_digests: replaced }
  return update(acting, licensesTable, id, values, licensesTable.events.key_rotated)
}

export const keyDigest = (key: string): string => digest(key).toString('hex')

/** Of the expiry job; one that has been renewed meanwhile stays. */
export async function expireLicense(ctx: OrganizationContext, id: number): Promise<void> {
  if (await first(ctx, licenses.isDue(ctx.organizationId, id, ctx.now))) await endLicense(ctx, id)
}

/** Marked when the entitlement's renewal is to bring it back. */
export async function endLicense(ctx: OrganizationContext, id: number): Promise<void> {
  const along = await licenses.endsAlong(ctx, id)
  await move(ctx, licensesTable, id, licenseMoves.expire, { suspended_with_entitlement: along })
}
