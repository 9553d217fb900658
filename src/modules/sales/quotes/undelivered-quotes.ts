// Paid quotes whose provisioning job is missing, for instance after a restore of a backup. They get another one; if
// that fails, it is a dead letter that staff see (docs/interface/operations.md, Administration).
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, systemJob } from '#kernel/jobs/jobs.ts'
import { provisioningKey, provisionOrder } from './provision-order.ts'
import { quotes } from './queries.ts'

const BATCH = 500
const PATIENCE_MS = 60_000

export const resumeDeliveryJob = systemJob(jobKind('quotes/undelivered', {}), {
  everySeconds: 60,
  before: async ({ read, now }, _job, { inEach }) => {
    const since = new Date(now.getTime() - PATIENCE_MS)
    await inEach(await read(quotes.undelivered(provisionOrder.name, since, BATCH)), (ctx, { id, event_id }) =>
      enqueue(ctx, provisionOrder, { event_id, resource_id: id }, { key: provisioningKey(ctx.organizationId, id) }),
    )
  },
})
