// The job that applies a stored report of the provisioning system to its environment.
import { Value } from 'typebox/value'
import type { InboundSource } from '#http/manifest/module.ts'
import { readStoredEvent } from '#modules/messages/inbound/provider-events.ts'
import type { OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { PermanentFailure, systemJob } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { ProvisioningReport } from '#ports/provisioning.ts'
import { askedOf, applyProvisioningResult } from './apply-provisioning-result.ts'

export const applyReport = jobKind('environments/apply-report', { provider_event_id: Id })

export const provisioningSource: InboundSource = {
  names: ['provisioning'],
  reads: null,
  handle: applyReport,
  // Reports about the same request run in order.
  keyOf: (event) => (Value.Check(ProvisioningReport, event) ? `provisioning:${event.requestId}` : undefined),
}

export const applyReportJob = systemJob(applyReport, {
  run: async (ctx, { payload: { provider_event_id: id } }) => {
    const { event: report } = await readStoredEvent(ctx, id, ProvisioningReport)
    const asked = askedOf(report.requestId)
    const inside = asked && (await organizationContextOf(ctx, asked.organizationId))
    if (!inside || !(await applyProvisioningResult(inside, asked, report.answer)))
      throw new PermanentFailure(`no environment was ever asked for as ${report.requestId}`)
  },
})

async function organizationContextOf(ctx: SystemContext, organizationId: number): Promise<OrganizationContext | null> {
  try {
    return await ctx.enter(organizationId)
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null
    throw error
  }
}
