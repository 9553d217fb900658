// The account follows its entitlement: it is suspended and resumed with it, and closed when it is cancelled.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { affiliateMoves, affiliatesTable } from './affiliate.ts'
import { affiliates } from './queries.ts'

export async function suspendAffiliateOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const account = await affiliates.ofEntitlement(ctx, entitlementId)
  if (account && allows(affiliateMoves.suspend, account.status))
    await move(ctx, affiliatesTable, account.id, affiliateMoves.suspend, { suspended_with_entitlement: true })
}

/** An account that staff suspended separately stays suspended. */
export async function resumeAffiliateOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const account = await affiliates.ofEntitlement(ctx, entitlementId)
  if (account?.suspended_with_entitlement && allows(affiliateMoves.resume, account.status))
    await move(ctx, affiliatesTable, account.id, affiliateMoves.resume, { suspended_with_entitlement: false })
}

export async function closeAffiliateOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const account = await affiliates.ofEntitlement(ctx, entitlementId)
  if (account && allows(affiliateMoves.close, account.status))
    await move(ctx, affiliatesTable, account.id, affiliateMoves.close, { suspended_with_entitlement: false })
}
