// Environments follow their entitlement: suspended with it and back, decommissioned when it is cancelled.
import { move } from '#kernel/changes.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import type { Move } from '#kernel/moves.ts'
import { environmentMoves, environmentsTable } from './environment.ts'
import { environments } from './queries.ts'

async function moveAll(
  ctx: OrganizationContext,
  entitlementId: number,
  act: Move,
  along: boolean,
  mark: boolean,
): Promise<void> {
  for (const { id } of await environments.idsOf(ctx, entitlementId, act.from, along))
    await move(ctx, environmentsTable, id, act, { suspended_with_entitlement: mark })
}

export const suspendEnvironmentsOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, environmentMoves.suspend, false, true)
/** One that staff suspended by itself stays so. */
export const resumeEnvironmentsOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, environmentMoves.resume, true, false)
export const decommissionEnvironmentsOf = (ctx: OrganizationContext, id: number) =>
  moveAll(ctx, id, environmentMoves.decommission, false, false)
