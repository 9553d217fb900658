// Quotes that are paid and for which nobody works any more: their job is gone, such as with a backup that was taken while
// it ran. They get another one; what fails of it shows where staff look (docs/interface.md, Administration).
import { enqueue, systemJob } from '#kernel/jobs/jobs.ts'
import { PROVISION, provisioningKey } from './provision-order.ts'
import { quotes } from './queries.ts'

const BATCH = 500
const PATIENCE_MS = 60_000

export const undeliveredJob = systemJob({
  kind: 'quotes/undelivered',
  everySeconds: 60,
  before: async ({ read, now }, _job, { inEach }) => {
    const since = new Date(now.getTime() - PATIENCE_MS)
    await inEach(await read(quotes.undelivered(PROVISION, since, BATCH)), (ctx, { id }) =>
      enqueue(ctx, PROVISION, { resource_id: id }, { key: provisioningKey(ctx.organizationId, id) }),
    )
  },
})
