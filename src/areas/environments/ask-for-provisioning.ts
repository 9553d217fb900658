// The job that asks the provisioning system, written with the state that promises it.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import type { EnvironmentRow } from './environment.ts'

/** `tries` counts how often this very request has been sent without an answer. */
export const requestProvisioning = jobKind('environments/provision', {
  environment_id: Id,
  attempt: Type.Integer(),
  tries: Type.Integer(),
})

export const askForProvisioning = (
  ctx: OrganizationContext,
  { id, provisioning_attempt }: Pick<EnvironmentRow, 'id' | 'provisioning_attempt'>,
  tries = 0,
  runAt = ctx.now,
): Promise<void> =>
  enqueue(
    ctx,
    requestProvisioning,
    { environment_id: id, attempt: provisioning_attempt, tries },
    // A report must never wait behind a try that is yet to come, so there is no key: the state decides.
    { runAt },
  )
