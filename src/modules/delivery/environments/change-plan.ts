// The plan of an environment is what its entitlement gives. The provisioning system is asked for a change of it once no
// other act waits for the system and the environment runs.
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { askFor } from './ask-for-provisioning.ts'
import { environmentMoves, type EnvironmentRow, environmentsTable, isUnconfirmed } from './environment.ts'
import { environments } from './queries.ts'

export async function changePlanOf(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  if (ctx.settings.provisioning === 'none') return
  const { decommission } = environmentMoves
  for (const { id } of await environments.ofEntitlement(ctx, entitlementId, decommission.from, false)) {
    const environment = await environments.forChange(ctx, id)
    const due = { provisioning_change_due: true }
    if (mayBeAsked(environment)) await askFor(ctx, environment, 'change', due)
    else if (!environment.provisioning_change_due) await update(ctx, environmentsTable, id, due)
  }
}

/** For an environment whose last act has been confirmed. */
export async function askForDueChange(ctx: OrganizationContext, environment: EnvironmentRow): Promise<void> {
  if (environment.provisioning_change_due && mayBeAsked(environment)) await askFor(ctx, environment, 'change')
}

/** A change replaces an earlier change, and no other act. */
const mayBeAsked = (environment: EnvironmentRow): boolean =>
  environmentMoves.suspend.from.some((status) => status === environment.status) &&
  (environment.provisioning_act === 'change' || !isUnconfirmed(environment))
