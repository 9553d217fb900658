// Enqueues the job that sends a provisioning request, in the transaction that sets the state `queued`.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import type { EnvironmentRow } from './environment.ts'

/** `attempt` numbers the requests of an environment; `tries` counts how often this one was sent without an answer. */
export const requestProvisioning = jobKind('environments/provision', {
  environment_id: Id,
  attempt: Type.Integer(),
  tries: Type.Integer(),
})

export const askForProvisioning = (
  ctx: OrganizationContext,
  { id, provisioning_attempt }: Pick<EnvironmentRow, 'id' | 'provisioning_attempt'>,
  tries = 0,
  afterSeconds = 0,
): Promise<void> =>
  enqueue(
    ctx,
    requestProvisioning,
    { environment_id: id, attempt: provisioning_attempt, tries },
    // No key, because a report must not wait behind a delayed try. The environment's state rejects outdated tries.
    { afterSeconds },
  )
