// The jobs of dunning: one checks an invoice after an event that changes what is due, one checks
// those whose time has come.
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import {
  entitlementsAwaiting,
  entitlementsAwaitingIn,
  entitlementsToSuspend,
} from '#modules/delivery/entitlements/arrears.ts'
import { entitlementsTable } from '#modules/delivery/entitlements/entitlement.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { applySchedule, followHold } from './dunning-jobs.ts'
import { followEntitlement } from './follow-entitlement.ts'
import { cases } from './queries.ts'
import { pursueInvoice } from './pursue-invoice.ts'

const followInvoice = eventJobKind('dunning/follow-invoice')
const followEntitlementLater = eventJobKind('dunning/follow-entitlement')
const suspendEntitlements = jobKind('dunning/suspend', {})
const pursueInvoices = jobKind('dunning/pursue', {})

const BATCH = 500
type Awaiting = { organization_id: number; id: number }

export const dunningJobs = [
  organizationJob(followInvoice, { run: (ctx, { payload }) => pursueInvoice(ctx, payload.resource_id) }),
  organizationJob(followEntitlementLater, { run: (ctx, { payload }) => followEntitlement(ctx, payload.resource_id) }),
  sweepJob(suspendEntitlements, {
    due: ({ now }) => entitlementsToSuspend(now),
    act: (ctx, { id }) => followEntitlement(ctx, id),
  }),
  systemJob(applySchedule, {
    before: async ({ read }, { payload: { company } }, { inEach }) => {
      let last: Awaiting | undefined = { organization_id: 0, id: 0 }
      while (last) {
        const rows: Awaiting[] = await read(entitlementsAwaiting(company, last, BATCH))
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
  sweepJob(pursueInvoices, {
    due: ({ now }) => cases.due(now),
    act: (ctx, { id }) => pursueInvoice(ctx, id),
  }),
]

const { created, finalized, due_date_changed, paid, voided, uncollectible, credited, refunded } = invoicesTable.events
const ofInvoice = [created, finalized, due_date_changed, paid, voided, uncollectible, credited, refunded]
const { created: delivered, updated, resumed, renewed } = entitlementsTable.events
const ofEntitlement = [delivered, updated, resumed, renewed]

export const dunningConsumers: readonly Consumer[] = [
  ...ofInvoice.map((event) => ({ event, job: followInvoice })),
  ...ofEntitlement.map((event) => ({ event, job: followEntitlementLater })),
]
