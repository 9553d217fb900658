// The routes of the log of deliveries, of redelivery and of tests.
import { notFound } from '#kernel/values/errors.ts'
import { parts, type Route, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import {
  ByDelivery,
  Delivery,
  DeliveryFilters,
  DeliveryWithAttempts,
  Redelivery,
  RedeliveryStarted,
  TEST_TYPE,
} from './delivery.ts'
import { deliveries } from './delivery-queries.ts'
import { maySee } from './messages.ts'
import { redeliver, redeliverEvents } from './redeliver.ts'
import type { Side } from './routes.ts'
import { testEndpoint } from './test-endpoint.ts'

export const deliveryRoutes = (side: Side, catalogue: Catalogue): Route[] => [
  ...deliveryReads(side, catalogue),
  ...deliveryActs(side, catalogue),
]

const deliveryReads = ({ path, reads: access, ownerOf }: Side, catalogue: Catalogue): Route[] => [
  route({
    method: 'GET',
    path: `${path}/{id}/deliveries`,
    access,
    purpose: 'List the deliveries of a webhook endpoint.',
    description: 'Newest first. The log goes back 30 days unless the service is set otherwise.',
    params: ById,
    query: DeliveryFilters,
    page: Delivery,
    read: (context, { params, query }) => deliveries.page(ownerOf(context), params.id, query),
  }),
  route({
    method: 'GET',
    path: `${path}/{id}/deliveries/{delivery_id}`,
    access,
    purpose: 'Get a delivery of a webhook endpoint, with what was sent and answered.',
    description:
      'With the last 20 attempts, and the first 4 KiB of each answer. For callers without the scopes of the event ' +
      '`request_body` is null and each answer’s body is empty.',
    params: ByDelivery,
    data: DeliveryWithAttempts,
    read: (context, { params }) => {
      const owner = ownerOf(context)
      return parts([deliveries.one(owner, params.id, params.delivery_id)], ([[delivery]], { scopes }) => {
        if (!delivery) throw notFound()
        // The log is of the scope `organization`; what an event says is of the scopes of its type.
        const isReadable = owner === null || maySee(catalogue, delivery.type, scopes)
        return isReadable ? delivery : withoutBodies(delivery)
      })
    },
  }),
]

/** Receivers like to answer with a part of what they got. */
const withoutBodies = (delivery: DeliveryWithAttempts): DeliveryWithAttempts => ({
  ...delivery,
  request_body: null,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, response_body: '' })),
})

const deliveryActs = ({ path, changes: access }: Side, catalogue: Catalogue): Route[] => [
  route({
    method: 'POST',
    path: `${path}/{id}/deliveries/{delivery_id}/redeliver`,
    access,
    purpose: 'Redeliver one delivery.',
    description:
      'At once, with the same body and the same `webhook-id`; the retry plan begins anew. 409 when it waits ' +
      'for an attempt already, the endpoint is not active, or whoever set it up lacks the scopes of its ' +
      'type.',
    params: ByDelivery,
    data: Delivery,
    status: 202,
    fails: ['already_in_progress', 'endpoint_scopes_missing', 'status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await redeliver(ctx, { endpointId: params.id, id: params.delivery_id, catalogue }),
      message: 'It is sent again',
    }),
  }),
  route({
    method: 'POST',
    path: `${path}/{id}/redeliver`,
    access,
    purpose: 'Redeliver the events of a range of time.',
    description:
      'Those whose delivery failed, and those that were never sent because the endpoint was disabled or did ' +
      'not exist yet; with `all` those that were delivered too. Only types that the endpoint wants now. 409 ' +
      'when it is not active.',
    params: ById,
    body: Redelivery,
    rules: ({ from, to }) =>
      from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)
        ? { to: 'must not be before from' }
        : {},
    openapi: {
      operationId: 'redeliverWebhookEndpointEvents',
      example: { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' },
    },
    data: RedeliveryStarted,
    status: 202,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await redeliverEvents(ctx, params.id, body),
      message: 'The events of that time are sent again',
    }),
  }),
  route({
    method: 'POST',
    path: `${path}/{id}/test`,
    access,
    purpose: 'Send a test event to a webhook endpoint.',
    description: `Of the type \`${TEST_TYPE}\`, once, whatever its status; its delivery shows the answer.`,
    params: ById,
    data: Delivery,
    status: 202,
    fails: ['already_in_progress'],
    run: async (ctx, { params }) => ({ data: await testEndpoint(ctx, params.id), message: 'The test is sent' }),
  }),
]
