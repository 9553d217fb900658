// Subscriptions of orders (spec 6.2).
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { endSubscription } from './end-subscription.ts'
import { requestSubscription } from './open-subscription.ts'
import { subscriptions } from './queries.ts'
import { NewSubscription, Subscription, SubscriptionCancellation } from './subscription.ts'

export const subscriptionRoutes = [
  route({
    method: 'POST',
    path: '/orders/{id}/subscription',
    operationId: 'createOrderSubscription',
    tag: 'orders',
    access: staff,
    purpose: 'Create a subscription for an order.',
    description:
      'The payment provider then charges the order automatically. A job asks it: `checkout_url`, where the customer pays the first time, is null until it has answered.',
    params: ById,
    body: NewSubscription,
    example: { interval: 'month', amount: '150.00' },
    status: 201,
    data: Subscription,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => {
      await requestSubscription(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription requested' }
    },
  }),
  route({
    method: 'GET',
    path: '/orders/{id}/subscription',
    tag: 'orders',
    access: org('orders'),
    purpose: 'Get the subscription of an order.',
    params: ById,
    data: Subscription,
    read: ({ org: id }, { params }) => subscriptions.ofOrder(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/subscription/cancel',
    tag: 'orders',
    access: staff,
    purpose: 'Cancel the subscription of an order.',
    description:
      'A job asks the payment provider; the order follows when it has confirmed. Until `period_end` it stays as it is, and what was bought ends with the paid time either way.',
    params: ById,
    body: SubscriptionCancellation,
    example: { at: 'period_end' },
    data: Subscription,
    fails: ['CONFLICT'],
    dryRun: true,
    run: async (ctx, { params, body }) => {
      await endSubscription(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription is being cancelled' }
    },
  }),
]
