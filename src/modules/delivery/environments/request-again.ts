// What staff do about an act that the provisioning system has not confirmed: request it again, or confirm that they did
// it by hand.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows, type Move } from '#kernel/data/moves.ts'
import { conflict } from '#kernel/values/errors.ts'
import { applyDone } from './apply-provisioning-result.ts'
import { askForProvisioning } from './ask-for-provisioning.ts'
import { type EnvironmentRow, environmentsTable, provisioningMoves } from './environment.ts'
import { requireActiveEntitlement } from './move-environment.ts'
import { environments } from './queries.ts'

/** POST /environments/{id}/provision: requests again after a failure, or when a report is missing. */
export async function requestAgain(ctx: OrganizationContext, id: number): Promise<EnvironmentRow> {
  const environment = await environments.forChange(ctx, id)
  if (ctx.settings.provisioning === 'none') throw conflict('not_configured', 'No provisioning system is configured')
  if (environment.provisioning_act === 'provision') await assertNeedsProvisioning(ctx, environment)
  assertWaits(environment, provisioningMoves.queue)
  const { provisioning_attempt: last, provisioning_refused: isRefused } = environment
  // Only a refused request is replaced by a new one; the outcome of any other is unknown, so the same one is sent
  // again.
  const attempt = isRefused || last === 0 ? last + 1 : last
  const queued = { provisioning_attempt: attempt, provisioning_refused: false, provisioning_error: null }
  const moved = await move(ctx, environmentsTable, id, provisioningMoves.queue, queued)
  await askForProvisioning(ctx, moved)
  return moved
}

function assertWaits({ provisioning_act: last, provisioning_state: state }: EnvironmentRow, next: Move): void {
  if (!allows(next, state)) throw conflict('status_not_allowed', `Its last act, ${last}, is ${state}`)
}

async function assertNeedsProvisioning(ctx: OrganizationContext, environment: EnvironmentRow): Promise<void> {
  if (environment.status !== 'provisioning')
    throw conflict('status_not_allowed', `An environment that is ${environment.status} needs no provisioning`)
  await requireActiveEntitlement(ctx, environment)
}

/** POST /environments/{id}/confirm */
export async function confirmByHand(ctx: OrganizationContext, id: number): Promise<EnvironmentRow> {
  const environment = await environments.forChange(ctx, id)
  if (environment.provisioning_act === 'provision')
    throw conflict('status_not_allowed', 'An environment that was set up by hand is activated by its status')
  assertWaits(environment, provisioningMoves.confirm)
  return applyDone(ctx, environment, null)
}
