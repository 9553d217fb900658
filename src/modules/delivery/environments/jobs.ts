// The jobs of environments: they send provisioning requests, and start and end maintenance windows.
import type { IoContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type JobInput, organizationJob } from '#kernel/jobs/jobs.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { type ProvisioningAnswer, ProvisioningUnavailable } from '#ports/provisioning.ts'
import { followUpRequest, requestProvisioning } from './ask-for-provisioning.ts'
import { endMaintenance, startMaintenance } from './plan-maintenance.ts'
import { maintenanceWindows } from './maintenance-queries.ts'
import { environments } from './queries.ts'
import { applyReportJob } from './apply-report.ts'
import {
  type ProvisioningRequest,
  dropProvisioning,
  requestIdOf,
  applyFollowUp,
  applyProvisioningResult,
  applyNoAnswer,
} from './apply-provisioning-result.ts'

type Outcome = { answer: ProvisioningAnswer } | { unanswered: string } | 'outdated' | 'not_needed'

type Asking = JobInput<{ environment_id: number; attempt: number; tries: number }>

const askedBy = ({ payload }: Asking, organizationId: number | null): ProvisioningRequest => ({
  organizationId: organizationId ?? 0,
  environmentId: payload.environment_id,
  attempt: payload.attempt,
})

async function ask({ read, ports, now, organizationId }: IoContext, job: Asking): Promise<Outcome> {
  const asked = askedBy(job, organizationId)
  const [environment] = await read(environments.toProvision(asked.organizationId, asked.environmentId))
  if (environment?.provisioning_state !== 'queued' || environment.provisioning_attempt !== asked.attempt)
    return 'outdated'
  const { provisioning_act: act, status, entitlement } = environment
  if (act === 'provision' && status !== 'provisioning') return 'not_needed'
  const { id, name, platform, environment_type, url, entitlement_code, production_id, metadata } = environment
  try {
    const answer = await ports.provisioning.request({
      act,
      requestId: requestIdOf(asked),
      organizationId: asked.organizationId,
      organizationName: environment.organization_name,
      environment: { id, name, platform, environment_type, url, entitlement_code, production_id, metadata },
      entitlement,
      now,
    })
    return answer === null ? 'not_needed' : { answer }
  } catch (error) {
    if (error instanceof ProvisioningUnavailable) return { unanswered: error.message }
    throw error
  }
}

const requestProvisioningJob = organizationJob(requestProvisioning, {
  before: ask,
  run: async (ctx, job, outcome) => {
    const asked = askedBy(job, ctx.organizationId)
    if (outcome === 'outdated') return
    if (outcome === 'not_needed') await dropProvisioning(ctx, asked)
    else if ('answer' in outcome) await applyProvisioningResult(ctx, asked, outcome.answer)
    else await applyNoAnswer(ctx, asked, job.payload.tries + 1, outcome.unanswered)
  },
})

const followUpJob = organizationJob(followUpRequest, {
  run: (ctx, job) => applyFollowUp(ctx, askedBy(job, ctx.organizationId), job.payload.tries),
})

const startAndEndMaintenance = jobKind('environments/maintenance', {})

export const environmentJobs = [
  requestProvisioningJob,
  followUpJob,
  applyReportJob,
  sweepJob(startAndEndMaintenance, {
    everySeconds: 30,
    due: ({ now }) => maintenanceWindows.due(now),
    act: async (ctx, { id }) => {
      await endMaintenance(ctx, id)
      await startMaintenance(ctx, id)
    },
  }),
]
