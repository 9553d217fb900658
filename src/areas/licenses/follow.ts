// Licenses follow their entitlement: suspended with it and back, expired with it, revoked when it is cancelled.
import { move, update } from '#kernel/changes.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import type { Move } from '#kernel/moves.ts'
import { licenseMoves, licensesTable } from './license.ts'
import { licenses } from './queries.ts'

async function moveAll(
  ctx: OrganizationContext,
  entitlementId: number,
  act: Move,
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
export const expireLicensesOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, licenseMoves.expire, false, false)
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

/** With the new end of the entitlement. */
export async function renewLicensesOf(
  ctx: OrganizationContext,
  entitlementId: number,
  expiresAt: string | null,
): Promise<void> {
  for (const { id } of await licenses.idsOf(ctx, entitlementId, licenseMoves.renew.from, false))
    await move(ctx, licensesTable, id, licenseMoves.renew, { expires_at: expiresAt })
}
