// What the worker does for subscriptions.
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import { PaymentRefused, type PaymentState } from '#ports/payments.ts'
import { billJob } from './bill-subscription.ts'
import { followSubscription } from './follow-provider.ts'
import { openJob } from './open-subscription.ts'
import { subscriptions } from './queries.ts'
import { hasEnded, subscriptionKey } from './subscription.ts'

export const subscriptionJobs = [
  openJob,
  billJob,
  organizationJob<{ orderId: number; state: PaymentState } | null>({
    kind: 'subscriptions/cancel',
    before: async ({ read, ports, organizationId }, { payload }) => {
      // Jobs that an event wrote before they had the subscription's key name the order so.
      const orderId = payload['order_id'] ?? payload['resource_id']
      const [order] = await read(subscriptions.toAsk(organizationId ?? 0, orderId))
      if (!order || order.subscription_reference === null || hasEnded(order)) return null
      const payments = ports.payments[order.company]
      if (!payments)
        throw new PermanentFailure(`${order.company} has no payment provider that could end the subscription`)
      await payments.cancelSubscription(order.subscription_reference).catch(failForGood)
      return { orderId: order.id, state: await payments.look('subscription', order.subscription_reference) }
    },
    run: async (ctx, { payload }, seen) => {
      if (seen?.state.resource === 'subscription')
        await followSubscription(ctx, seen.orderId, seen.state, payload['is_billed'] === true)
    },
  }),
  organizationJob({
    kind: 'subscriptions/end-with-order',
    run: async (ctx, { payload }) => {
      const order_id = Number(payload['resource_id'])
      await enqueue(ctx, 'subscriptions/cancel', { order_id }, { key: subscriptionKey(order_id) })
    },
  }),
  organizationJob({
    kind: 'subscriptions/abandon',
    before: async ({ ports }, { payload }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by open.ts
      const { company, reference } = payload as { company: Company; reference: string }
      await ports.payments[company]?.cancelSubscription(reference).catch(failForGood)
    },
  }),
  // Notes for staff, in the one place where they look for what needs a person.
  organizationJob({
    kind: 'subscriptions/paid-after-end',
    run: (_ctx, { payload }) => {
      const { order_id, invoice_id } = payload
      throw new PermanentFailure(
        `order ${Number(order_id)} is over, but its subscription was paid: invoice ${Number(invoice_id)} may have to be refunded`,
      )
    },
  }),
  organizationJob({
    kind: 'subscriptions/unknown-status',
    run: (_ctx, { payload }) => {
      const { order_id, status } = payload
      throw new PermanentFailure(
        `order ${Number(order_id)}: its subscription is "${String(status)}", which no order status stands for`,
      )
    },
  }),
]

function failForGood(error: unknown): never {
  if (error instanceof PaymentRefused) throw new PermanentFailure(`the payment provider refused: ${error.message}`)
  throw error
}

/** An order that is over is charged no more. */
export const subscriptionConsumers = [
  { event: 'titular/order/cancelled', job: 'subscriptions/end-with-order' },
  { event: 'titular/order/refunded', job: 'subscriptions/end-with-order' },
] as const
