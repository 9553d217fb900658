// Asks the provisioning system for what becomes of an environment: enqueues the jobs that send a request and follow it
// up, in the transaction that sets the state `queued`.
import { Type } from 'typebox'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import type { ProvisioningAct } from '#ports/provisioning.ts'
import { type EnvironmentRow, environmentsTable, provisioningMoves } from './environment.ts'

/** `attempt` numbers the requests of an environment; `tries` counts how often this one was sent without an answer. */
const RequestPayload = { environment_id: Id, attempt: Type.Integer(), tries: Type.Integer() }
export const requestProvisioning = jobKind('environments/provision', RequestPayload)
export const followUpRequest = jobKind('environments/follow-up', RequestPayload)

type EnvironmentAttempt = Pick<EnvironmentRow, 'id' | 'provisioning_attempt'>

const payloadOf = ({ id, provisioning_attempt: attempt }: EnvironmentAttempt, tries: number) => ({
  environment_id: id,
  attempt,
  tries,
})

/** One key for each environment, so that its requests reach the system one at a time, in the order of the acts. */
export const askForProvisioning = (
  ctx: OrganizationContext,
  environment: EnvironmentAttempt,
  tries = 0,
): Promise<void> =>
  enqueue(ctx, requestProvisioning, payloadOf(environment, tries), {
    key: `${requestProvisioning.name}:${environment.id}:${ctx.organizationId}`,
  })

/** Without a key, since a later act must not wait behind the pause. No `tries`: it waits for a report. */
export const followUp = (
  ctx: OrganizationContext,
  environment: EnvironmentAttempt,
  tries: number,
  afterSeconds: number,
): Promise<void> => enqueue(ctx, followUpRequest, payloadOf(environment, tries), { afterSeconds })

/** A new request, in place of one that is not confirmed yet. Does nothing without a provisioning system. */
export async function askFor(
  ctx: OrganizationContext,
  environment: EnvironmentRow,
  act: ProvisioningAct,
  marks: Partial<EnvironmentRow> = {},
): Promise<EnvironmentRow> {
  if (ctx.settings.provisioning === 'none') return environment
  const moved = await move(ctx, environmentsTable, environment.id, provisioningMoves.replace, {
    ...marks,
    provisioning_act: act,
    provisioning_attempt: environment.provisioning_attempt + 1,
    provisioning_refused: false,
    provisioning_error: null,
  })
  await askForProvisioning(ctx, moved)
  return moved
}
