// What the worker does for environments: asks the provisioning system, begins and ends maintenance.
import type { IoContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { type BoundTransactions, type JobInput, organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { type ProvisioningAnswer, ProvisioningUnavailable } from '#ports/provisioning.ts'
import '#ports/ports.ts'
import { requestProvisioning } from './ask-for-provisioning.ts'
import { endMaintenance, startMaintenance } from './plan-maintenance.ts'
import { maintenanceWindows } from './maintenance-queries.ts'
import { environments } from './queries.ts'
import { settleReportJob } from './settle-report.ts'
import { type Asked, dropProvisioning, requestIdOf, settleProvisioning, settleSilence } from './settle-provisioning.ts'

type Heard = { answer: ProvisioningAnswer } | { silence: string } | 'nothing' | 'needless'

type Asking = JobInput<{ environment_id: number; attempt: number; tries: number }>

const askedBy = ({ payload }: Asking, organizationId: number | null): Asked => ({
  organizationId: organizationId ?? 0,
  environmentId: payload.environment_id,
  attempt: payload.attempt,
})

async function ask({ read, ports, now, organizationId }: IoContext, job: Asking): Promise<Heard> {
  const asked = askedBy(job, organizationId)
  const [environment] = await read(environments.toProvision(asked.organizationId, asked.environmentId))
  if (environment?.provisioning_state !== 'queued' || environment.provisioning_attempt !== asked.attempt)
    return 'nothing'
  if (environment.status !== 'provisioning') return 'needless'
  const { id, name, platform, environment_type, url, entitlement_code, production_id, metadata } = environment
  try {
    const answer = await ports.provisioning.provision({
      requestId: requestIdOf(asked),
      organizationId: asked.organizationId,
      organizationName: environment.organization_name,
      environment: { id, name, platform, environment_type, url, entitlement_code, production_id, metadata },
      now,
    })
    return answer === null ? 'needless' : { answer }
  } catch (error) {
    if (error instanceof ProvisioningUnavailable) return { silence: error.message }
    throw error
  }
}

const requestProvisioningJob = organizationJob(requestProvisioning, {
  before: ask,
  run: async (ctx, job, heard) => {
    const asked = askedBy(job, ctx.organizationId)
    if (heard === 'nothing') return
    if (heard === 'needless') await dropProvisioning(ctx, asked)
    else if ('answer' in heard) await settleProvisioning(ctx, asked, heard.answer)
    else await settleSilence(ctx, asked, job.payload.tries + 1, heard.silence)
  },
})

const startAndEndMaintenance = jobKind('environments/maintenance', {})
const BATCH = 500

/** Ends first, so that a window may begin where another ends. One that fails keeps no other back. */
async function sweep({ read, now }: IoContext, { inOrganization }: BoundTransactions): Promise<void> {
  const failures: unknown[] = []
  const each = async (due: { organization_id: number; id: number }[], act: typeof startMaintenance) => {
    for (const { organization_id, id } of due)
      await inOrganization(organization_id, (ctx) => act(ctx, id)).catch((error: unknown) => failures.push(error))
  }
  await each(await read(maintenanceWindows.toEnd(now, BATCH)), endMaintenance)
  await each(await read(maintenanceWindows.toStart(now, BATCH)), startMaintenance)
  if (failures.length > 0) throw failures[0]
}

export const environmentJobs = [
  requestProvisioningJob,
  settleReportJob,
  systemJob(startAndEndMaintenance, {
    everySeconds: 30,
    before: (io, _job, transactions) => sweep(io, transactions),
  }),
]
