// Webhooks get lost, and the shop stops sending them after a few failures. A periodic job asks the shop which orders have
// changed, and looks at those whose change is not known here.
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { COMPANIES } from '#kernel/values/schema.ts'
import { CommerceUnavailable } from '#ports/commerce.ts'
import '#ports/ports.ts'
import { lookAtOrder, lookLater } from './handle-commerce-event.ts'
import { type At, commerceOrders } from './queries.ts'

/** As far back as an outage may reach. */
const WINDOW_MS = 3 * 24 * 60 * 60 * 1000

export const reconcileCommerceJob = systemJob(jobKind('commerce/reconcile', {}), {
  everySeconds: 3600,
  before: async (io) => {
    const missed: At[] = []
    for (const company of COMPANIES) {
      const commerce = io.ports.commerce[company]
      if (!commerce) continue
      const { platform } = commerce
      const changed = await commerce.changedSince(new Date(io.now.getTime() - WINDOW_MS)).catch(noneYet)
      const unknown = await io.read(commerceOrders.unknownChanges({ company, platform }, changed, lookAtOrder.name))
      for (const { reference } of unknown) missed.push({ company, platform, reference })
    }
    return missed
  },
  run: async (ctx, _job, missed) => {
    for (const at of missed) await lookLater(ctx, at)
  },
})

/** The next run asks again; the other legal entity's shop may be there. */
function noneYet(error: unknown): [] {
  if (error instanceof CommerceUnavailable) return []
  throw error
}
