// Subscriptions of orders (spec 6.2).
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { endSubscription } from './end-subscription.ts'
import { requestSubscription } from './open-subscription.ts'
import { subscriptions } from './queries.ts'
import { NewSubscription, Subscription } from './subscription.ts'

export const subscriptionRoutes = [
  route({
    method: 'POST',
    path: '/orders/{id}/subscription',
    operationId: 'createOrderSubscription',
    tag: 'orders',
    access: staff,
    purpose: 'Charge an order automatically from now on.',
    description:
      'The payment provider is asked by a job: `checkout_url`, where the customer pays the first time, is null until it has answered.',
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
    purpose: 'The subscription of an order.',
    params: ById,
    data: Subscription,
    read: ({ org: id }, { params }) => subscriptions.ofOrder(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/subscription/cancel',
    tag: 'orders',
    access: staff,
    purpose: 'End the subscription of an order at once.',
    description: 'The payment provider is asked by a job; the order follows when it has confirmed.',
    params: ById,
    data: Subscription,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => {
      await endSubscription(ctx, params.id)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription is being cancelled' }
    },
  }),
]
