// Licenses follow their entitlement: suspended with it and back, expired with it, revoked when it is cancelled.
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
/** One that staff suspended by itself stays so. */
export const resumeLicensesOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, licenseMoves.resume, true, false)
export async function expireLicensesOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  for (const { id } of await licenses.idsOf(ctx, entitlementId, licenseMoves.expire.from, false))
    await endLicense(ctx, id)
}
export const revokeLicensesOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, licenseMoves.revoke, false, false)

/** Those that end with the entitlement, or would outlive its new end: found now, changed by what is returned. */
export async function endLicensesOf(
  ctx: OrganizationContext,
  entitlementId: number,
  expiresAt: string | null,
): Promise<() => Promise<void>> {
  const following = await licenses.idsEndingWith(ctx, entitlementId, expiresAt)
  return async () => {
    for (const { id } of following) await update(ctx, licensesTable, id, { expires_at: expiresAt })
  }
}

/** With the new end of the entitlement: what ended with it, and neither what had ended before nor what staff suspended. */
export async function renewLicensesOf(
  ctx: OrganizationContext,
  entitlementId: number,
  expiresAt: string | null,
): Promise<void> {
  for (const { id } of await licenses.idsOf(ctx, entitlementId, licenseMoves.renew.from, true))
    await move(ctx, licensesTable, id, licenseMoves.renew, { expires_at: expiresAt, suspended_with_entitlement: false })
}
