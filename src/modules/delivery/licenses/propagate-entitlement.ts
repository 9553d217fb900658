// Licenses follow their entitlement: they are suspended, resumed and expire with it, and are revoked when it is
// cancelled.
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { endLicense } from './change-license.ts'
import { licenseMoves, licensesTable } from './license.ts'
import { licenses } from './queries.ts'

async function moveAll(
  ctx: OrganizationContext,
  entitlementId: number,
  act: MoveOf<typeof licensesTable>,
  along: boolean,
  mark: boolean,
): Promise<void> {
  for (const { id } of await licenses.idsOf(ctx, entitlementId, act.from, along))
    await move(ctx, licensesTable, id, act, { suspended_with_entitlement: mark })
}

export const suspendLicensesOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, licenseMoves.suspend, false, true)
/** Licenses that staff suspended separately stay suspended. */
export const resumeLicensesOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, licenseMoves.resume, true, false)
export async function expireLicensesOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  for (const { id } of await licenses.idsOf(ctx, entitlementId, licenseMoves.expire.from, false))
    await endLicense(ctx, id)
}
export const revokeLicensesOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, licenseMoves.revoke, false, false)

/**
 * By the status of the entitlement: for a license whose own job had expired it before the entitlement got its new end.
 */
const AGAIN: Readonly<Record<string, MoveOf<typeof licensesTable>>> = {
  active: licenseMoves.renew,
  suspended: licenseMoves.suspendAgain,
}

/**
 * Finds the licenses that end with the entitlement or would outlive its new end. The returned function changes them, by
 * the status of the entitlement after its change.
 */
export async function endLicensesOf(
  ctx: OrganizationContext,
  entitlementId: number,
  expiresAt: string | null,
): Promise<(entitlementStatus: string) => Promise<void>> {
  const following = await licenses.endingWith(ctx, entitlementId, expiresAt)
  const isAhead = expiresAt === null || new Date(expiresAt) > ctx.now
  return async (entitlementStatus) => {
    const again = isAhead ? AGAIN[entitlementStatus] : undefined
    const isSuspended = entitlementStatus === 'suspended'
    for (const { id, status } of following) {
      const end = { expires_at: expiresAt }
      if (!again || status !== 'expired') await update(ctx, licensesTable, id, end)
      else await move(ctx, licensesTable, id, again, { ...end, suspended_with_entitlement: isSuspended })
    }
  }
}

/** Whether those that end with the entitlement wait for its next payment, as it does. */
export async function markLicensesOf(ctx: OrganizationContext, entitlementId: number, renews: boolean): Promise<void> {
  for (const { id } of await licenses.idsToMark(ctx, entitlementId, renews))
    await update(ctx, licensesTable, id, { renews })
}

/** Renews the licenses that ended with the entitlement, but not those that ended before or were suspended by staff. */
export async function renewLicensesOf(
  ctx: OrganizationContext,
  entitlementId: number,
  expiresAt: string | null,
): Promise<void> {
  for (const { id } of await licenses.idsOf(ctx, entitlementId, licenseMoves.renew.from, true))
    await move(ctx, licensesTable, id, licenseMoves.renew, { expires_at: expiresAt, suspended_with_entitlement: false })
}

/**
 * Those that have the entitlement's quantity as their limit get the new one, but not less than is in use. One that kept
 * more than an earlier quantity, for its domains, gets a larger one too.
 */
export async function limitLicensesOf(
  ctx: OrganizationContext,
  entitlementId: number,
  change: { from: number; to: number },
): Promise<void> {
  for (const { id, activations_count } of await licenses.limitedTo(ctx, entitlementId, change)) {
    const limit = { activations_limit: Math.max(change.to, activations_count) }
    await update(ctx, licensesTable, id, limit, licensesTable.events.limit_changed)
  }
}
