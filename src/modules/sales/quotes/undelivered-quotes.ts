// Paid quotes whose provisioning job is missing, for instance after a restore of a backup. They get another one; if
// that fails, it is a dead letter that staff see (docs/interface/operations.md, Administration).
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, systemJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/values/sql.ts'
import { provisioningKey, provisionOrder } from './provision-order.ts'
import { quotesTable } from './quote.ts'

const BATCH = 500
const PATIENCE_MS = 60_000

export const resumeDeliveryJob = systemJob(jobKind('quotes/undelivered', {}), {
  everySeconds: 60,
  before: async ({ read, now }, _job, { inEach }) => {
    const since = new Date(now.getTime() - PATIENCE_MS)
    await inEach(await read(undelivered(provisionOrder.name, since)), (ctx, { id, event_id }) =>
      enqueue(ctx, provisionOrder, { event_id, resource_id: id }, { key: provisioningKey(ctx.organizationId, id) }),
    )
  },
})

/** Quotes of all organizations that were paid before `since` and have no job of the kind, not even a dead letter. */
const undelivered = (kind: string, since: Date) => sql<{ organization_id: number; id: number; event_id: number }>`
  select q.organization_id, q.id,
         (select max(e.id) from events e where e.organization_id = q.organization_id
             and e.resource = ${quotesTable.resource} and e.resource_id = q.id
             and e.type = ${quotesTable.events.paid}) as event_id
    from quotes q
   where q.status = 'paid' and q.updated_at <= ${since}
     and to_jsonb(q.id) not in
       (select j.payload -> 'resource_id' from jobs j where j.kind = ${kind} and j.payload ? 'resource_id')
   order by q.updated_at limit ${BATCH}`
