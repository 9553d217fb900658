// The jobs of dunning: one looks at an invoice after whatever may change it, one at those whose moment has come.
import { invoicesTable } from '#areas/invoices/invoice.ts'
import { entitlementsAwaiting, entitlementsAwaitingIn, entitlementsToSuspend } from '#areas/entitlements/arrears.ts'
import { entitlementsTable } from '#areas/entitlements/entitlement.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { eventJobKind, jobKind } from '#kernel/jobs/job-kinds.ts'
import { organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { applySchedule, followHold } from './dunning-jobs.ts'
import { followEntitlement } from './follow-entitlement.ts'
import { cases } from './queries.ts'
import { pursueInvoice } from './pursue-invoice.ts'

const followInvoice = eventJobKind('dunning/follow-invoice')
const followEntitlementLater = eventJobKind('dunning/follow-entitlement')
const suspendEntitlements = jobKind('dunning/suspend', {})
const pursueInvoices = jobKind('dunning/pursue', {})

const BATCH = 500
/** So that a run ends, whatever is the matter. */
const MOST_BATCHES = 100

type Row = { organization_id: number; id: number }

/** Each row is out of the next batch once it is worked on; a failure ends the run. */
async function inBatches(read: () => Promise<Row[]>, work: (rows: Row[]) => Promise<void>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const rows = await read()
    await work(rows)
    if (rows.length < BATCH) return
  }
}

export const dunningJobs = [
  organizationJob(followInvoice, { run: (ctx, { payload }) => pursueInvoice(ctx, payload.resource_id) }),
  organizationJob(followEntitlementLater, { run: (ctx, { payload }) => followEntitlement(ctx, payload.resource_id) }),
  systemJob(suspendEntitlements, {
    everySeconds: 60,
    before: ({ read, now }, _job, { inEach }) =>
      inBatches(
        () => read(entitlementsToSuspend(now, BATCH)),
        (rows) => inEach(rows, (ctx, { id }) => followEntitlement(ctx, id)),
      ),
  }),
  systemJob(applySchedule, {
    before: async ({ read }, { payload: { company } }, { inEach }) => {
      let last: Row | undefined = { organization_id: 0, id: 0 }
      while (last) {
        const rows: Row[] = await read(entitlementsAwaiting(company, last, BATCH))
        await inEach(rows, (ctx, { id }) => followEntitlement(ctx, id))
        last = rows.at(-1)
      }
    },
  }),
  organizationJob(followHold, {
    run: async (ctx) => {
      for (const { id } of await ctx.ask(entitlementsAwaitingIn(ctx.organizationId))) await followEntitlement(ctx, id)
    },
  }),
  systemJob(pursueInvoices, {
    everySeconds: 60,
    before: ({ read, now }, _job, { inEach }) =>
      inBatches(
        () => read(cases.due(now, BATCH)),
        (rows) => inEach(rows, (ctx, { id }) => pursueInvoice(ctx, id)),
      ),
  }),
]

const { created, finalized, paid, voided, uncollectible, credited, refunded } = invoicesTable.events
const ofInvoice = [created, finalized, paid, voided, uncollectible, credited, refunded]
const { created: delivered, updated, resumed, renewed } = entitlementsTable.events
const ofEntitlement = [delivered, updated, resumed, renewed]

export const dunningConsumers: readonly Consumer[] = [
  ...ofInvoice.map((event) => ({ event, job: followInvoice })),
  ...ofEntitlement.map((event) => ({ event, job: followEntitlementLater })),
]
