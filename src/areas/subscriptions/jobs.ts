// What the worker does for subscriptions.
import { ordersTable } from '#areas/orders/order.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { eventJobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { PaymentRefused } from '#ports/payments.ts'
import { billSubscriptionJob } from './bill-subscription.ts'
import { followSubscription } from './follow-provider.ts'
import { askForSubscriptionJob } from './open-subscription.ts'
import { subscriptions } from './queries.ts'
import { hasEnded, subscriptionKey } from './subscription.ts'
import {
  abandonSubscription,
  cancelSubscription,
  reportPaidAfterEnd,
  reportUnknownStatus,
} from './subscription-jobs.ts'

const endWithOrder = eventJobKind('subscriptions/end-with-order')

export const subscriptionJobs = [
  askForSubscriptionJob,
  billSubscriptionJob,
  organizationJob(cancelSubscription, {
    before: async ({ read, ports, organizationId }, { payload }) => {
      const [order] = await read(subscriptions.toAsk(organizationId ?? 0, payload.order_id))
      if (!order || order.subscription_reference === null || hasEnded(order)) return null
      const payments = ports.payments[order.company]
      if (!payments)
        throw new PermanentFailure(`${order.company} has no payment provider that could end the subscription`)
      await payments.cancelSubscription(order.subscription_reference).catch(failForGood)
      return payments.look('subscription', order.subscription_reference)
    },
    run: async (ctx, { payload }, state) => {
      if (state?.resource === 'subscription')
        await followSubscription(ctx, payload.order_id, state, payload.is_billed === true)
    },
  }),
  organizationJob(endWithOrder, {
    run: async (ctx, { payload: { resource_id: order_id } }) => {
      await enqueue(ctx, cancelSubscription, { order_id }, { key: subscriptionKey(order_id) })
    },
  }),
  organizationJob(abandonSubscription, {
    before: async ({ ports }, { payload: { company, reference } }) => {
      await ports.payments[company]?.cancelSubscription(reference).catch(failForGood)
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

function failForGood(error: unknown): never {
  if (error instanceof PaymentRefused) throw new PermanentFailure(`the payment provider refused: ${error.message}`)
  throw error
}

/** An order that is over is charged no more. */
export const subscriptionConsumers: readonly Consumer[] = [
  { event: ordersTable.events.cancelled, job: endWithOrder },
  { event: ordersTable.events.refunded, job: endWithOrder },
]
