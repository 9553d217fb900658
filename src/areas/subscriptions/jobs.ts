// What the worker does for subscriptions.
import { invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { failPermanently, lookAt, notInUse, providerBehind, providerInUse } from '#areas/payments/ask-provider.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { billSubscriptionJob } from './bill-subscription.ts'
import { followSubscription } from './follow-provider.ts'
import { askForSubscriptionJob } from './open-subscription.ts'
import { followRefund } from './paid-periods.ts'
import { subscriptions } from './queries.ts'
import { hasEnded } from './subscription.ts'
import {
  abandonSubscription,
  cancelSubscription,
  endWithOrder,
  lookAtSubscription,
  reportPaidAfterEnd,
  reportUnknownStatus,
  subscriptionKey,
  takeBackPeriod,
} from './subscription-jobs.ts'

export const subscriptionJobs = [
  askForSubscriptionJob,
  billSubscriptionJob,
  organizationJob(cancelSubscription, {
    before: async (io, { payload }) => {
      const [order] = await io.read(subscriptions.toAsk(io.organizationId ?? 0, payload.order_id))
      if (!order || order.subscription_reference === null || hasEnded(order)) return null
      const { company, subscription_reference: reference } = order
      const { payments, provider } = await providerBehind(io, company, reference)
      if (!payments) throw notInUse({ company, provider, reference })
      await payments.cancelSubscription(reference, payload.at ?? 'now').catch(failPermanently)
      return { provider, state: await lookAt(io, 'subscription', { company, provider, reference }) }
    },
    run: async (ctx, { payload }, ended) => {
      if (!ended) return
      const { provider, state } = ended
      await followSubscription(ctx, payload.order_id, { ...state, provider }, payload.is_billed === true)
    },
  }),
  organizationJob(lookAtSubscription, {
    before: (io, { payload }) => lookAt(io, 'subscription', payload),
    run: async (ctx, { payload: { order_id, provider } }, state) => {
      await followSubscription(ctx, order_id, { ...state, provider })
    },
  }),
  organizationJob(endWithOrder, {
    run: async (ctx, { payload: { resource_id: order_id } }) => {
      await enqueue(ctx, cancelSubscription, { order_id }, { key: subscriptionKey(order_id) })
    },
  }),
  organizationJob(takeBackPeriod, {
    run: async (ctx, { payload }) => {
      const { order_id, period_end } = await invoices.forChange(ctx, payload.resource_id)
      if (order_id !== null && period_end !== null) await followRefund(ctx, await orders.forChange(ctx, order_id))
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

export const subscriptionConsumers: readonly Consumer[] = [
  { event: ordersTable.events.cancelled, job: endWithOrder },
  { event: ordersTable.events.refunded, job: endWithOrder },
  { event: invoicesTable.events.refunded, job: takeBackPeriod },
]
