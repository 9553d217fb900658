// Webhooks get lost, and the shop stops sending them after a few failures. Once an hour each shop is asked which orders
// have changed, and those whose change is not known here are looked at.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueueAnew, systemJob } from '#kernel/jobs/jobs.ts'
import { COMPANIES, Company } from '#kernel/values/schema.ts'
import { refreshOrder, enqueueStateRefresh } from './handle-commerce-event.ts'
import { commerceOrders } from './queries.ts'

/** As far back as an outage may reach. */
const WINDOW_MS = 3 * 24 * 60 * 60 * 1000

/** A job for each shop, so that staff see the one that cannot be asked, and the other is read all the same. */
const reconcileShop = jobKind('commerce/reconcile-shop', { company: Company })

export const reconcileJobs = [
  systemJob(jobKind('commerce/reconcile', {}), {
    everySeconds: 3600,
    before: async ({ ports: { commerce } }) => COMPANIES.filter((company) => commerce[company] !== null),
    run: async (ctx, _job, companies) => {
      for (const company of companies)
        await enqueueAnew(ctx, reconcileShop, { company }, { key: `${reconcileShop.name}:${company}` })
    },
  }),
  systemJob(reconcileShop, {
    before: async (io, { payload: { company } }) => {
      const commerce = io.ports.commerce[company]
      if (!commerce) return []
      const { platform } = commerce
      const changed = await commerce.changedSince(new Date(io.now.getTime() - WINDOW_MS))
      const unknown = await io.read(commerceOrders.unknownChanges({ company, platform }, changed, refreshOrder.name))
      return unknown.map(({ reference }) => ({ company, platform, reference }))
    },
    run: async (ctx, _job, missed) => {
      for (const at of missed) await enqueueStateRefresh(ctx, at)
    },
  }),
]
