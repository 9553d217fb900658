// What the worker does for subscriptions.
import { entitlementsTable } from '#modules/delivery/entitlements/entitlement.ts'
import { orderOfEntitlement } from '#modules/delivery/entitlements/paid-end.ts'
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { ordersTable, SEND_INVOICE } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { failPermanently, fetchProviderState, notInUse, providerInUse } from '#modules/sales/payments/ask-provider.ts'
import { first } from '#kernel/data/context.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { billSubscriptionJob } from './bill-subscription.ts'
import { stopBilling } from './end-billing.ts'
import { applySubscriptionState } from './apply-subscription-state.ts'
import { billDue } from './invoice-period.ts'
import { noteFailedChargeJob } from './note-failed-charge.ts'
import { askForSubscriptionJob } from './open-subscription.ts'
import {
  applyPaymentOfPeriod,
  applyQuantities,
  applyRefundOfPeriod,
  applyRenewalOfPeriod,
  applyReopening,
} from './paid-periods.ts'
import { providerJobs } from './provider-jobs.ts'
import { subscriptions } from './queries.ts'
import { hasEnded } from './subscription.ts'
import {
  abandonSubscription,
  awaitPayment,
  beginPeriod,
  cancelSubscription,
  endWithOrder,
  propagatePaid,
  refreshSubscription,
  reportPaidAfterEnd,
  reportUnknownStatus,
  subscriptionKey,
  takeBackPeriod,
} from './subscription-jobs.ts'

const billOrders = jobKind('subscriptions/bill-orders', {})

export const subscriptionJobs = [
  askForSubscriptionJob,
  billSubscriptionJob,
  noteFailedChargeJob,
  sweepJob(billOrders, { due: ({ now }) => subscriptions.due(now), act: (ctx, { id }) => billDue(ctx, id) }),
  ...providerJobs,
  organizationJob(refreshSubscription, {
    before: (io, { payload }) => fetchProviderState(io, 'subscription', payload),
    run: async (ctx, { payload: { order_id, provider } }, state) => {
      await applySubscriptionState(ctx, order_id, { ...state, provider })
    },
  }),
  organizationJob(endWithOrder, {
    run: async (ctx, { payload: { event_id, resource_id: order_id } }) => {
      const order = await orders.forChange(ctx, order_id)
      if (order.subscription_collection_method !== SEND_INVOICE)
        return enqueue(ctx, cancelSubscription, { order_id }, { key: subscriptionKey(order_id) })
      // The job may come late. The event may have been removed since.
      const event = await first(ctx, subscriptions.eventAt(ctx.organizationId, event_id))
      if (!hasEnded(order)) await stopBilling(ctx, order, event ? new Date(event.at) : ctx.now)
    },
  }),
  organizationJob(propagatePaid, {
    run: async (ctx, { payload }) => {
      const { order_id, period_start } = await invoices.forChange(ctx, payload.resource_id)
      if (order_id === null || period_start === null) return
      const order = await orders.forChange(ctx, order_id)
      await applyPaymentOfPeriod(ctx, order)
      if (order.subscription_line_items === null) return
      const runAt = new Date(period_start)
      if (runAt > ctx.now) await enqueue(ctx, beginPeriod, { order_id }, { runAt })
      else await applyQuantities(ctx, order)
    },
  }),
  organizationJob(beginPeriod, {
    run: async (ctx, { payload }) => applyQuantities(ctx, await orders.forChange(ctx, payload.order_id)),
  }),
  organizationJob(awaitPayment, {
    run: async (ctx, { payload }) => {
      const orderId = await orderOfEntitlement(ctx, payload.resource_id)
      if (orderId !== null) await applyRenewalOfPeriod(ctx, await orders.forChange(ctx, orderId))
    },
  }),
  organizationJob(takeBackPeriod, {
    run: async (ctx, { payload }) => {
      const invoice = await invoices.forChange(ctx, payload.resource_id)
      const { order_id, period_end, status, payment_status } = invoice
      if (order_id === null || period_end === null) return
      const order = await orders.forChange(ctx, order_id)
      if (status === 'void' || payment_status === 'refunded') await applyRefundOfPeriod(ctx, order)
      // Paid again meanwhile, it pays for its period.
      else if (status !== 'paid') await applyReopening(ctx, order, invoice)
      if (order.subscription_line_items !== null) await applyQuantities(ctx, order)
    },
  }),
  organizationJob(abandonSubscription, {
    before: async (io, { payload }) => {
      const payments = providerInUse(io, payload)
      if (!payments) throw notInUse(payload)
      await payments.cancelSubscription(payload.reference, 'now').catch(failPermanently)
    },
  }),
  organizationJob(reportPaidAfterEnd, {
    run: (_ctx, { payload: { order_id, invoice_id } }) => {
      throw new PermanentFailure(
        `order ${order_id} is over, but its subscription was paid: invoice ${invoice_id} may have to be refunded`,
      )
    },
  }),
  organizationJob(reportUnknownStatus, {
    run: (_ctx, { payload: { order_id, status } }) => {
      throw new PermanentFailure(`order ${order_id}: its subscription is "${status}", which no order status stands for`)
    },
  }),
]

/**
 * A cancelled or refunded order is not charged any more; a paid period is delivered, a refunded one is not paid any
 * more; what is delivered after the payment, or gets another end, may wait for the next payment.
 */
export const subscriptionConsumers: readonly Consumer[] = [
  { event: ordersTable.events.cancelled, job: endWithOrder },
  { event: ordersTable.events.refunded, job: endWithOrder },
  { event: invoicesTable.events.paid, job: propagatePaid },
  { event: invoicesTable.events.refunded, job: takeBackPeriod },
  { event: invoicesTable.events.reopened, job: takeBackPeriod },
  { event: entitlementsTable.events.created, job: awaitPayment },
  { event: entitlementsTable.events.updated, job: awaitPayment },
]
