// The delivery of an event to an endpoint, with its attempts: the log that customers read.
import { Type, type Static } from 'typebox'
import { AnyOf, Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
const DeliveryState = Type.Enum(DELIVERY_STATES, {
  description: '`pending`: waits for an attempt; `failed`: given up, can be redelivered',
  examples: ['delivered'],
})
const EventTypeName = Type.String({ description: '`webhook_endpoint.test` for a test', examples: ['quote.paid'] })

export const Delivery = Type.Object(
  {
    id: Id,
    endpoint_id: Id,
    webhook_id: Type.String({
      description: 'The header `webhook-id`: the same in every attempt',
      examples: ['msg_42'],
    }),
    event_id: Nullable(Type.Integer({ description: 'null for a test', examples: [42] })),
    type: EventTypeName,
    state: DeliveryState,
    attempts_count: Type.Integer({ examples: [1] }),
    last_status: Nullable(
      Type.Integer({ description: 'The HTTP status of the last answer; null: there was none', examples: [200] }),
    ),
    next_attempt_at: Nullable({ ...Timestamp, description: 'Not before; null: no further one is planned' }),
    delivered_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'The delivery of an event to an endpoint' },
)
export type Delivery = Static<typeof Delivery>

const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  examples: [{ 'content-type': 'application/json' }],
})

export const Attempt = Type.Object({
  at: Timestamp,
  duration_ms: Type.Integer({ examples: [120] }),
  request_headers: Headers,
  status: Nullable(Type.Integer({ examples: [200] })),
  error: Nullable(Type.String({ description: 'Why there was no answer', examples: ['The connection was refused'] })),
  response_headers: Headers,
  response_body: Type.String({
    description: 'The first 4 KiB of the answer; empty when the caller does not hold the scopes of its type',
    examples: ['ok'],
  }),
})
export type Attempt = Static<typeof Attempt>

/** More are kept of none: each redelivery adds attempts. */
export const KEPT_ATTEMPTS = 20

export const DeliveryWithAttempts = Type.Object(
  {
    ...Delivery.properties,
    request_body: Nullable(
      Type.String({
        description: 'As it was or will be sent; null when the caller does not hold the scopes of its type',
        examples: ['{"type":"quote.paid","timestamp":"2026-11-20T14:42:55.123Z","data":{"id":17}}'],
      }),
    ),
    attempts: Type.Array(Attempt, { description: `The last ${KEPT_ATTEMPTS}, oldest first` }),
  },
  { description: 'A delivery with what was sent and what was answered' },
)
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>

export const DeliveryFilters = Closed({
  ...Paging,
  state: AnyOf(DeliveryState),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['quote.paid'] })),
  date_from: Type.Optional({ ...Timestamp, description: 'Created at or after' }),
  date_to: Type.Optional({ ...Timestamp, description: 'Created at or before' }),
})
export type DeliveryFilters = Static<typeof DeliveryFilters>

export const ByDelivery = Closed({ id: Id, delivery_id: Id })

export const Redelivery = Closed({
  from: { ...Timestamp, description: 'Events that happened at or after' },
  to: { ...Timestamp, description: 'Events that happened at or before' },
  all: Type.Optional(
    Type.Boolean({ default: false, description: 'Those that were delivered already too', examples: [false] }),
  ),
})
export type Redelivery = Static<typeof Redelivery>

export const RedeliveryStarted = Type.Object(
  { endpoint_id: Id, from: Timestamp, to: Timestamp, all: Type.Boolean({ examples: [false] }) },
  { description: 'A redelivery that has begun' },
)

export const TEST_TYPE = 'webhook_endpoint.test'

/**
 * `webhook-id`: of the event, so that a receiver recognizes it whichever way it comes again; no dot (Standard
 * Webhooks).
 */
export const webhookId = ({ id, event_id }: { id: number; event_id: number | null }): string =>
  event_id === null ? `msg_test_${id}` : `msg_${event_id}`
