// Subscriptions of orders (spec 6.2).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changePlan, planRules } from './change-plan.ts'
import { endSubscription, keepSubscription } from './end-subscription.ts'
import { pauseSubscription, resumeSubscription } from './pause-subscription.ts'
import { subscriptions } from './queries.ts'
import { requestSubscription } from './request-subscription.ts'
import {
  NewSubscription,
  PlanChange,
  Subscription,
  SubscriptionCancellation,
  SubscriptionChange,
  AdministratorsSubscriptionFilters,
  SubscriptionFilters,
} from './subscription.ts'

export const subscriptionRoutes = [
  route({
    method: 'GET',
    path: '/subscriptions',
    access: org('orders'),
    purpose: 'List the subscriptions of the organization.',
    description: 'Those of all its orders, the newest order first; those that have ended too.',
    query: SubscriptionFilters,
    openapi: { tag: 'orders' },
    page: Subscription,
    read: ({ org: id, ports }, { query }) => subscriptions.page(id, query, ports.settings),
  }),
  route({
    method: 'GET',
    path: '/admin/subscriptions',
    access: vendor('orders'),
    purpose: 'List the subscriptions of all organizations.',
    description: 'Those of the newest orders first, those that have ended too.',
    query: AdministratorsSubscriptionFilters,
    openapi: { tag: 'orders' },
    page: acrossItem(Subscription),
    features: { limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only, ports }, { query }) => subscriptions.pageOfAll(query, only, ports.settings),
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/subscription',
    access: staff('orders'),
    purpose: 'Create a subscription for an order.',
    description:
      'By default the payment provider charges the order automatically. A job asks it: `checkout_url`, ' +
      'where the customer pays the first time, is null until it has answered. With `send_invoice` each ' +
      'period gets an invoice, which is made some days before it begins.',
    params: ById,
    body: NewSubscription,
    openapi: {
      operationId: 'createOrderSubscription',
      tag: 'orders',
      example: { interval: 'month', amount: '150.00' },
    },
    status: 201,
    data: Subscription,
    fails: [
      'no_payment_awaited',
      'one_time_lines',
      'order_paid',
      'pays_by_invoice',
      'status_not_allowed',
      'subscription_exists',
    ],
    run: async (ctx, { params, body }) => {
      await requestSubscription(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription requested' }
    },
  }),
  route({
    method: 'GET',
    path: '/orders/{id}/subscription',
    access: org('orders'),
    purpose: 'Get the subscription of an order.',
    description:
      '404 for an order that is not billed again. `line_items` are what the next periods bill, `self_service` is ' +
      'what customers may change themselves.',
    params: ById,
    openapi: { tag: 'orders' },
    data: Subscription,
    read: ({ org: id, ports }, { params }) => subscriptions.ofOrder(id, params.id, ports.settings),
  }),
  route({
    method: 'PATCH',
    path: '/orders/{id}/subscription',
    access: org('orders'),
    purpose: 'Update what the next periods of an order bill.',
    description:
      'Another quantity or price of lines, from the next period on; what is not given stays. Open invoices ' +
      'of periods that have not begun become void and are made anew; with `charge_automatically` a job asks ' +
      'the payment provider. The entitlement gets the quantity with the period that is paid.',
    params: ById,
    body: PlanChange,
    rules: planRules,
    openapi: {
      tag: 'orders',
      example: { line_items: [{ entitlement_code: 'PLG-2026110001', quantity: 8 }] },
    },
    data: Subscription,
    fails: ['billed_as_a_whole', 'no_subscription', 'subscription_ending', 'AUTHORIZATION_ERROR'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => {
      await changePlan(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription changed' }
    },
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/subscription/cancel',
    access: org('orders'),
    purpose: 'Cancel the subscription of an order.',
    description:
      'A job asks the payment provider; the order follows when it has confirmed. Until `period_end` it ' +
      'stays as it is, and what was bought ends with the paid time either way.',
    params: ById,
    body: SubscriptionCancellation,
    openapi: { tag: 'orders', example: { at: 'period_end' } },
    data: Subscription,
    fails: ['no_subscription', 'subscription_ending', 'AUTHORIZATION_ERROR'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => {
      await endSubscription(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription is being cancelled' }
    },
  }),
  route({
    method: 'DELETE',
    path: '/orders/{id}/subscription/cancel',
    access: org('orders'),
    purpose: 'Delete a cancellation at the end of the period: the subscription goes on.',
    description:
      'While that lies ahead. Invoices that the cancellation made void are made again; with ' +
      '`charge_automatically` a job asks the payment provider.',
    params: ById,
    openapi: { operationId: 'deleteOrderSubscriptionCancellation', tag: 'orders' },
    data: Subscription,
    fails: ['nothing_scheduled', 'status_not_allowed', 'AUTHORIZATION_ERROR'],
    features: { dryRun: true },
    run: async (ctx, { params }) => {
      await keepSubscription(ctx, params.id)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Cancellation taken back' }
    },
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/subscription/pause',
    access: org('orders'),
    purpose: 'Pause the subscription of an order.',
    description:
      'No period is billed until it is resumed, and open invoices of periods that have not begun become ' +
      'void. What is paid stays. With `charge_automatically` a job asks the payment provider; the status ' +
      'follows when it has confirmed.',
    params: ById,
    body: SubscriptionChange,
    openapi: { tag: 'orders', example: {} },
    data: Subscription,
    fails: ['no_subscription', 'subscription_ending', 'AUTHORIZATION_ERROR'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => {
      await pauseSubscription(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription paused' }
    },
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/subscription/resume',
    access: org('orders'),
    purpose: 'Resume the subscription of an order.',
    description:
      'It goes on after the time that has an invoice, on the same days; if that has passed, from now on. ' +
      'With `charge_automatically` a job asks the payment provider, which then charges at once.',
    params: ById,
    body: SubscriptionChange,
    openapi: { tag: 'orders', example: {} },
    data: Subscription,
    fails: ['status_not_allowed', 'subscription_ending', 'subscription_not_paused', 'AUTHORIZATION_ERROR'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => {
      await resumeSubscription(ctx, params.id, body)
      return { data: await subscriptions.afterChange(ctx, params.id), message: 'Subscription resumed' }
    },
  }),
]
