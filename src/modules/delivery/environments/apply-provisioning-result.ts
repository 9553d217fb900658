// Applies answers and reports of the provisioning system to the environment. Late and repeated ones never move it back,
// and those about an older request are ignored.
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { gapAfter } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import type { ProvisioningAnswer } from '#ports/provisioning.ts'
import { askForProvisioning } from './ask-for-provisioning.ts'
import { environmentMoves, type EnvironmentRow, environmentsTable, provisioningMoves } from './environment.ts'
import { WITH_ENTITLEMENT } from './propagate-entitlement.ts'
import { reenterMaintenance } from './plan-maintenance.ts'
import { moveEnvironment, requireActiveEntitlement } from './move-environment.ts'
import { environments } from './queries.ts'

/** About a quarter of an hour in all, with the gaps of `gapAfter`. */
const MAX_TRIES = 9

/** A provisioning request. Its id for the provisioning system is the same for each of its tries. */
export type ProvisioningRequest = { organizationId: number; environmentId: number; attempt: number }
export const requestIdOf = ({ organizationId, environmentId, attempt }: ProvisioningRequest): string =>
  `environment-${organizationId}-${environmentId}-${attempt}`
export function askedOf(requestId: string): ProvisioningRequest | null {
  const [, ...numbers] = /^environment-([1-9]\d{0,14})-([1-9]\d{0,14})-([1-9]\d{0,8})$/.exec(requestId) ?? []
  const [organizationId, environmentId, attempt] = numbers.map(Number)
  if (organizationId === undefined || environmentId === undefined || attempt === undefined) return null
  return { organizationId, environmentId, attempt }
}

/** POST /environments/{id}/provision: requests again after a failure, or when a report is missing. */
export async function provisionAgain(ctx: OrganizationContext, id: number): Promise<EnvironmentRow> {
  const environment = await environments.forChange(ctx, id)
  if (ctx.settings.provisioning === 'none') throw conflict('not_configured', 'No provisioning system is configured')
  if (environment.status !== 'provisioning')
    throw conflict('status_not_allowed', `An environment that is ${environment.status} needs no provisioning`)
  await requireActiveEntitlement(ctx, environment)
  const { provisioning_attempt: last, provisioning_refused: isRefused } = environment
  // Only a refused request is replaced by a new one; the outcome of any other is unknown, so the same one is sent
  // again.
  const attempt = isRefused || last === 0 ? last + 1 : last
  const queued = { provisioning_attempt: attempt, provisioning_refused: false, provisioning_error: null }
  const moved = await move(ctx, environmentsTable, id, provisioningMoves.queue, queued)
  await askForProvisioning(ctx, moved)
  return moved
}

/** False when there is no such environment. */
export async function applyProvisioningResult(
  ctx: OrganizationContext,
  { environmentId, attempt }: ProvisioningRequest,
  answer: ProvisioningAnswer,
): Promise<boolean> {
  const environment = await environments.find(ctx, environmentId)
  if (!environment) return false
  if (environment.provisioning_attempt !== attempt) return true
  const { finish, request, fail } = provisioningMoves
  const act = { done: finish, pending: request, failed: fail }[answer.status]
  if (!allows(act, environment.provisioning_state)) return true
  const error = answer.status === 'failed' ? answer.error : null
  await move(ctx, environmentsTable, environmentId, act, {
    provisioning_error: error,
    provisioning_refused: answer.status === 'failed',
    ...(answer.status === 'done' && answer.url !== null && { url: answer.url }),
  })
  if (answer.status === 'done') await activateProvisioned(ctx, environment)
  return true
}

/** Activates the environment unless staff have moved it; suspends it if its entitlement is not active any more. */
async function activateProvisioned(ctx: OrganizationContext, environment: EnvironmentRow): Promise<void> {
  if (environment.status !== 'provisioning') return
  const active = await moveEnvironment(ctx, environment, environmentMoves.activate, { note: 'Provisioned' })
  const entitlement = await environments.entitlement(ctx, environment.entitlement_id)
  if (entitlement?.status === 'active') return reenterMaintenance(ctx, active)
  await moveEnvironment(ctx, active, environmentMoves.suspend, { note: WITH_ENTITLEMENT, along: true })
}

/**
 * Without an answer: tries the same request again after a delay; after `MAX_TRIES` it fails until staff request again.
 */
export async function applyNoAnswer(
  ctx: OrganizationContext,
  { environmentId, attempt }: ProvisioningRequest,
  tries: number,
  error: string,
): Promise<void> {
  const environment = await environments.find(ctx, environmentId)
  const isCurrent = environment?.provisioning_state === 'queued' && environment.provisioning_attempt === attempt
  if (!environment || !isCurrent) return
  if (tries >= MAX_TRIES) {
    await move(ctx, environmentsTable, environmentId, provisioningMoves.fail, { provisioning_error: error })
    return
  }
  await update(
    ctx,
    environmentsTable,
    environmentId,
    { provisioning_error: error },
    environmentsTable.events.provisioning_delayed,
  )
  await askForProvisioning(ctx, environment, tries, gapAfter(tries))
}

/** For an environment that was activated by hand or decommissioned before the request was sent. */
export async function dropProvisioning(
  ctx: OrganizationContext,
  { environmentId, attempt }: ProvisioningRequest,
): Promise<void> {
  const environment = await environments.find(ctx, environmentId)
  if (!environment || environment.provisioning_attempt !== attempt) return
  if (!allows(provisioningMoves.drop, environment.provisioning_state)) return
  await move(ctx, environmentsTable, environmentId, provisioningMoves.drop, { provisioning_error: null })
}
