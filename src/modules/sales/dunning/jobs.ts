// The jobs of dunning: one checks an invoice after an event that changes what is due, one checks
// those whose time has come.
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import {
  entitlementsAwaiting,
  entitlementsAwaitingIn,
  entitlementsToSuspend,
} from '#modules/delivery/entitlements/arrears.ts'
import { entitlementsTable } from '#modules/delivery/entitlements/entitlement.ts'
import { orderOfEntitlement } from '#modules/delivery/entitlements/paid-end.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { ordersTable } from '#modules/sales/orders/order.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { applySchedule, propagateHold } from './dunning-jobs.ts'
import { billByAccess, goOnIfSettled } from './bill-by-access.ts'
import { propagateEntitlement } from './propagate-entitlement.ts'
import { cases } from './queries.ts'
import { dunInvoice } from './dun-invoice.ts'

const propagateInvoice = eventJobKind('dunning/propagate-invoice')
const enqueueEntitlement = eventJobKind('dunning/propagate-entitlement')
const followInvoice = eventJobKind('dunning/bill-by-invoice')
const followEntitlement = eventJobKind('dunning/bill-by-entitlement')
const followCharge = eventJobKind('dunning/bill-by-charge')
const suspendEntitlements = jobKind('dunning/suspend', {})
const dunInvoices = jobKind('dunning/dun', {})

const BATCH = 500
type Awaiting = { organization_id: number; id: number }

export const dunningJobs = [
  organizationJob(propagateInvoice, { run: (ctx, { payload }) => dunInvoice(ctx, payload.resource_id) }),
  organizationJob(enqueueEntitlement, { run: (ctx, { payload }) => propagateEntitlement(ctx, payload.resource_id) }),
  organizationJob(followInvoice, {
    run: async (ctx, { payload }) => {
      const orderIds = new Set<number | null>()
      for (const { id } of await invoices.entitlementsOf(ctx, payload.resource_id))
        orderIds.add(await orderOfEntitlement(ctx, id))
      for (const id of orderIds) if (id !== null) await goOnIfSettled(ctx, id)
    },
  }),
  organizationJob(followEntitlement, {
    run: async (ctx, { payload }) => {
      const orderId = await orderOfEntitlement(ctx, payload.resource_id)
      if (orderId !== null) await billByAccess(ctx, orderId)
    },
  }),
  organizationJob(followCharge, { run: (ctx, { payload }) => billByAccess(ctx, payload.resource_id) }),
  sweepJob(suspendEntitlements, {
    due: ({ now }) => entitlementsToSuspend(now),
    act: (ctx, { id }) => propagateEntitlement(ctx, id),
  }),
  systemJob(applySchedule, {
    before: async ({ read }, { payload: { company } }, { inEach }) => {
      let last: Awaiting | undefined = { organization_id: 0, id: 0 }
      while (last) {
        const rows: Awaiting[] = await read(entitlementsAwaiting(company, last, BATCH))
        await inEach(rows, (ctx, { id }) => propagateEntitlement(ctx, id))
        last = rows.at(-1)
      }
    },
  }),
  organizationJob(propagateHold, {
    run: async (ctx) => {
      for (const { id } of await ctx.ask(entitlementsAwaitingIn(ctx.organizationId)))
        await propagateEntitlement(ctx, id)
    },
  }),
  sweepJob(dunInvoices, {
    due: ({ now }) => cases.due(now),
    act: (ctx, { id }) => dunInvoice(ctx, id),
  }),
]

const { created, finalized, due_date_changed, paid, reopened, voided, uncollectible, credited, refunded } =
  invoicesTable.events
const ofInvoice = [created, finalized, due_date_changed, paid, reopened, voided, uncollectible, credited, refunded]
const { created: delivered, updated, resumed, renewed, suspended, expired, cancelled } = entitlementsTable.events
const ofEntitlement = [delivered, updated, resumed, renewed]
/** What may settle a debt. */
const ofDebt = [due_date_changed, paid, voided, credited]
const ofAccess = [suspended, expired, cancelled, resumed, renewed]

export const dunningConsumers: readonly Consumer[] = [
  ...ofInvoice.map((event) => ({ event, job: propagateInvoice })),
  ...ofEntitlement.map((event) => ({ event, job: enqueueEntitlement })),
  ...ofDebt.map((event) => ({ event, job: followInvoice })),
  ...ofAccess.map((event) => ({ event, job: followEntitlement })),
  { event: ordersTable.events.subscription_charge_failed, job: followCharge },
]
