// Environments follow their entitlement: they are suspended and resumed with it, and decommissioned when it is
// cancelled. One that is being provisioned is suspended once it is provisioned (apply-provisioning-result.ts).
import type { OrganizationContext } from '#kernel/data/context.ts'
import { environmentMoves } from './environment.ts'
import { reenterMaintenance } from './plan-maintenance.ts'
import { moveEnvironment } from './move-environment.ts'
import { environments } from './queries.ts'

export const WITH_ENTITLEMENT = 'With its entitlement'

export async function suspendEnvironmentsOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const { suspend } = environmentMoves
  for (const one of await environments.ofEntitlement(ctx, entitlementId, suspend.from, false))
    await moveEnvironment(ctx, one, suspend, { note: WITH_ENTITLEMENT, along: true })
}

/** Environments that staff suspended separately stay suspended; a running maintenance window takes effect again. */
export async function resumeEnvironmentsOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const { resume } = environmentMoves
  for (const one of await environments.ofEntitlement(ctx, entitlementId, resume.from, true)) {
    const resumed = await moveEnvironment(ctx, one, resume, { note: WITH_ENTITLEMENT })
    await reenterMaintenance(ctx, resumed)
  }
}

export async function decommissionEnvironmentsOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const { decommission } = environmentMoves
  for (const one of await environments.ofEntitlement(ctx, entitlementId, decommission.from, false))
    await moveEnvironment(ctx, one, decommission, { note: WITH_ENTITLEMENT })
}
