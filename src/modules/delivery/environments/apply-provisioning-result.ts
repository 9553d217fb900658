// Applies answers and reports of the provisioning system to the environment. Late and repeated ones never move it back,
// and those about an older request are ignored.
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { gapAfter } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import { fromNow, isPast } from '#kernel/values/time/clock.ts'
import type { ProvisioningAnswer } from '#ports/provisioning.ts'
import { askForProvisioning, followUp } from './ask-for-provisioning.ts'
import { askForDueChange } from './change-plan.ts'
import { environmentMoves, type EnvironmentRow, environmentsTable, provisioningMoves } from './environment.ts'
import { WITH_ENTITLEMENT } from './propagate-entitlement.ts'
import { reenterMaintenance } from './plan-maintenance.ts'
import { moveEnvironment } from './move-environment.ts'
import { environments } from './queries.ts'

/** About a quarter of an hour in all, with the gaps of `gapAfter`. */
const MAX_TRIES = 9
const REPORT_WITHIN_SECONDS = 24 * 3600

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

/** False when there is no such environment. */
export async function applyProvisioningResult(
  ctx: OrganizationContext,
  { environmentId, attempt }: ProvisioningRequest,
  answer: ProvisioningAnswer,
): Promise<boolean> {
  const environment = await environments.find(ctx, environmentId)
  if (!environment) return false
  const { provisioning_attempt: current, provisioning_state: state } = environment
  const { request, fail, finish } = provisioningMoves
  const isOutdated =
    current !== attempt || !allows({ done: finish, pending: request, failed: fail }[answer.status], state)
  if (isOutdated) return true
  if (answer.status === 'done') {
    await applyDone(ctx, environment, answer.url)
  } else if (answer.status === 'pending') {
    const due = fromNow(ctx, REPORT_WITHIN_SECONDS).toISOString()
    const accepted = { provisioning_error: null, provisioning_report_due_at: due }
    const requested = await move(ctx, environmentsTable, environmentId, request, accepted)
    await followUp(ctx, requested, 0, REPORT_WITHIN_SECONDS)
  } else {
    const refused = { provisioning_error: answer.error, provisioning_refused: true }
    await move(ctx, environmentsTable, environmentId, fail, refused)
  }
  return true
}

/** 409 when nothing waits to be confirmed. */
export async function applyDone(
  ctx: OrganizationContext,
  { id, provisioning_act: act }: EnvironmentRow,
  url: string | null,
): Promise<EnvironmentRow> {
  const done = await move(
    ctx,
    environmentsTable,
    id,
    act === 'provision' ? provisioningMoves.finish : provisioningMoves.confirm,
    {
      provisioning_error: null,
      provisioning_refused: false,
      ...(act === 'change' && { provisioning_change_due: false }),
      ...(url !== null && { url }),
    },
  )
  const reached = act === 'provision' ? await activateProvisioned(ctx, done) : done
  await askForDueChange(ctx, reached)
  return environments.forChange(ctx, id)
}

/** Activates the environment unless staff have moved it; suspends it if its entitlement is not active any more. */
async function activateProvisioned(ctx: OrganizationContext, environment: EnvironmentRow): Promise<EnvironmentRow> {
  if (environment.status !== 'provisioning') return environment
  const active = await moveEnvironment(ctx, environment, environmentMoves.activate, { note: 'Provisioned' })
  const entitlement = await environments.entitlement(ctx, environment.entitlement_id)
  if (entitlement?.status !== 'active')
    return moveEnvironment(ctx, active, environmentMoves.suspend, { note: WITH_ENTITLEMENT, along: true })
  await reenterMaintenance(ctx, active)
  return active
}

/**
 * Without an answer: tries the same request again after a delay; after `MAX_TRIES` it fails until staff request again.
 */
export async function applyNoAnswer(
  ctx: OrganizationContext,
  asked: ProvisioningRequest,
  tries: number,
  error: string,
): Promise<void> {
  const environment = await currentOf(ctx, asked)
  if (environment?.provisioning_state !== 'queued') return
  if (tries >= MAX_TRIES) {
    await move(ctx, environmentsTable, environment.id, provisioningMoves.fail, { provisioning_error: error })
    return
  }
  await update(
    ctx,
    environmentsTable,
    environment.id,
    { provisioning_error: error },
    environmentsTable.events.provisioning_delayed,
  )
  await followUp(ctx, environment, tries, gapAfter(tries))
}

/** After the pause: sends a request again that was tried, or gives up the report of one that was accepted. */
export async function applyFollowUp(
  ctx: OrganizationContext,
  asked: ProvisioningRequest,
  tries: number,
): Promise<void> {
  const environment = await currentOf(ctx, asked)
  // A report may have come meanwhile, of which another pause begins.
  if (environment?.provisioning_state !== (tries === 0 ? 'requested' : 'queued')) return
  if (tries > 0) return askForProvisioning(ctx, environment, tries)
  // Staff may have requested it again meanwhile.
  const { provisioning_report_due_at: due } = environment
  if (due !== null && !isPast(ctx, due)) return
  const error = 'The provisioning system accepted the request, and has not reported within a day'
  await move(ctx, environmentsTable, environment.id, provisioningMoves.fail, { provisioning_error: error })
}

/** For a request that is not needed any more, or that nobody takes. */
export async function dropProvisioning(ctx: OrganizationContext, asked: ProvisioningRequest): Promise<void> {
  const environment = await currentOf(ctx, asked)
  if (!environment || !allows(provisioningMoves.drop, environment.provisioning_state)) return
  await move(ctx, environmentsTable, environment.id, provisioningMoves.drop, { provisioning_error: null })
}

/** Undefined when a newer request replaced this one. */
async function currentOf(
  ctx: OrganizationContext,
  { environmentId, attempt }: ProvisioningRequest,
): Promise<EnvironmentRow | undefined> {
  const environment = await environments.find(ctx, environmentId)
  return environment?.provisioning_attempt === attempt ? environment : undefined
}
