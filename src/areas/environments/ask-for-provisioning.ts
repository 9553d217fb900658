// The job that asks the provisioning system, written with the state that promises it.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import type { EnvironmentRow } from './environment.ts'

/** `tries` counts how often this very request has been sent without an answer. */
export const askForProvisioning = (
  ctx: OrganizationContext,
  { id, provisioning_attempt }: Pick<EnvironmentRow, 'id' | 'provisioning_attempt'>,
  tries = 0,
  runAt = ctx.now,
): Promise<void> =>
  enqueue(
    ctx,
    'environments/provision',
    { environment_id: id, attempt: provisioning_attempt, tries },
    // A report must never wait behind a try that is yet to come, so there is no key: the state decides.
    { runAt },
  )
