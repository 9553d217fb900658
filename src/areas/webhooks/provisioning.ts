// Reports of the provisioning system: the signature first, then stored whole under the sender's message id, then 200; a
// job takes them to the environment, once, in any order.
import { Type } from 'typebox'
import { askedOf, settleProvisioning } from '#areas/environments/settle-provisioning.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { AppError, invalid } from '#kernel/http/errors.ts'
import { enqueue, PermanentFailure, systemJob } from '#kernel/jobs/jobs.ts'
import { signed } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { UnreadableReport, UnsignedReport } from '#ports/provisioning.ts'
import '#ports/ports.ts'
import { storedReport, storeEvent } from './queries.ts'

export const provisioningReportRoutes = [
  route({
    method: 'POST',
    path: '/webhooks/provisioning',
    access: signed('provisioning system'),
    purpose: 'Reports of the system that sets environments up.',
    description:
      'Signed as Standard Webhooks. `type` is `environment.provisioning`, `data` has `request_id`, `status` (done, pending, failed) and perhaps `url` or `error`. A report that came before answers 200 and does nothing; an unknown type is kept and ignored.',
    data: Type.Null(),
    fails: ['VALIDATION_ERROR'],
    before: async ({ ports, now }, { raw }) => {
      try {
        return ports.provisioning.readReport(raw.headers, raw.body, now)
      } catch (error) {
        if (error instanceof UnsignedReport)
          throw new AppError('AUTHENTICATION_ERROR', { message: 'The signature is missing or wrong', cause: error })
        if (error instanceof UnreadableReport) throw invalid({ data: error.message })
        throw error
      }
    },
    run: async (ctx, { raw }, report) => {
      const [stored] = await ctx.ask(storeEvent('provisioning', '', report, raw.body))
      // Reports about one request keep their order.
      if (stored && report.kind === 'report')
        await enqueue(
          ctx,
          'webhooks/provisioning',
          { provider_event_id: stored.id },
          { key: `provisioning:${report.requestId}` },
        )
      return { data: null, message: stored ? 'Report stored' : 'Report known already' }
    },
  }),
]

export const provisioningReportJobs = [
  systemJob({
    kind: 'webhooks/provisioning',
    run: async (ctx, { payload }) => {
      const id = Number(payload['provider_event_id'])
      const stored = await first(ctx, storedReport(id))
      if (stored?.event.kind !== 'report') throw new PermanentFailure(`provider event ${id} is not there`)
      const { requestId, answer } = stored.event
      const asked = askedOf(requestId)
      const inside = asked && (await organizationContextOf(ctx, asked.organizationId))
      if (!inside || !(await settleProvisioning(inside, asked, answer)))
        throw new PermanentFailure(`no environment was ever asked for as ${requestId}`)
    },
  }),
]

async function organizationContextOf(ctx: SystemContext, organizationId: number) {
  try {
    return await ctx.enter(organizationId)
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null
    throw error
  }
}
