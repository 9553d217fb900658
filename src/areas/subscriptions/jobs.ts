// What the worker does for subscriptions.
import { ordersTable } from '#areas/orders/order.ts'
import { failPermanently, lookAt, notInUse, providerBehind, providerInUse } from '#areas/payments/ask-provider.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { eventJobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { billSubscriptionJob } from './bill-subscription.ts'
import { followSubscription } from './follow-provider.ts'
import { askForSubscriptionJob } from './open-subscription.ts'
import { subscriptions } from './queries.ts'
import { hasEnded } from './subscription.ts'
import {
  abandonSubscription,
  cancelSubscription,
  lookAtSubscription,
  reportPaidAfterEnd,
  reportUnknownStatus,
  subscriptionKey,
} from './subscription-jobs.ts'

const endWithOrder = eventJobKind('subscriptions/end-with-order')

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
      await payments.cancelSubscription(reference).catch(failPermanently)
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
  organizationJob(abandonSubscription, {
    before: async (io, { payload }) => {
      const payments = providerInUse(io, payload)
      if (!payments) throw notInUse(payload)
      await payments.cancelSubscription(payload.reference).catch(failPermanently)
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

/** An order that is over is charged no more. */
export const subscriptionConsumers: readonly Consumer[] = [
  { event: ordersTable.events.cancelled, job: endWithOrder },
  { event: ordersTable.events.refunded, job: endWithOrder },
]
