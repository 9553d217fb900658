// Subscriptions of orders (spec 6.2): charged automatically by the payment provider, whose state moves the order.
import { Type, type Static } from 'typebox'
import { INTERVALS, type OrderRow, type OrderStatus } from '#areas/orders/order.ts'
import { CANCELLATION_TIMES } from '#ports/payments.ts'
import { Closed, Company, Currency, Id, Line, Money, Nullable, Text, Timestamp } from '#kernel/values/schema.ts'

export { CANCELLED, hasEnded, REQUESTED, UNPAID } from './subscription-status.ts'

/**
 * The provider's status and the order's. The first five are the specification's. The others are ours: one that never
 * began is cancelled, an unpaid one has failed, a paused one is on hold.
 */
export const ORDER_STATUS: Readonly<Record<string, OrderStatus>> = {
  active: 'completed',
  trialing: 'processing',
  incomplete: 'on-hold',
  past_due: 'failed',
  canceled: 'cancelled',
  incomplete_expired: 'cancelled',
  unpaid: 'failed',
  paused: 'on-hold',
}

/** Whether the order's status forbids charging it. */
export const isOver = ({ status }: Pick<OrderRow, 'status'>): boolean => status === 'cancelled' || status === 'refunded'

const Interval = Type.Enum(INTERVALS, { examples: ['month'] })

export const Subscription = Type.Object(
  {
    order_id: Id,
    company: Company,
    status: Type.String({
      description: '`requested` until the payment provider has answered, then the provider’s status',
      examples: ['active'],
    }),
    order_status: Type.String({ examples: ['completed'] }),
    reference: Nullable(Line),
    interval: Nullable(Interval),
    amount: Nullable(Money),
    currency: Currency,
    checkout_url: Nullable(Text),
    requested_at: Timestamp,
    ends_at: Nullable({ ...Timestamp, description: 'When it ends, if it was cancelled for the end of its period' }),
  },
  { description: 'The automatic charging of an order' },
)
export type Subscription = Static<typeof Subscription>

export const NewSubscription = Closed({
  organization_id: Type.Optional(Id),
  interval: Interval,
  amount: Type.Optional(Money),
})
export const SubscriptionCancellation = Closed({
  organization_id: Type.Optional(Id),
  at: Type.Optional(
    Type.Enum(CANCELLATION_TIMES, {
      description: '`now` by default; until `period_end` the subscription goes on',
      examples: ['period_end'],
    }),
  ),
})
export type SubscriptionCancellation = Static<typeof SubscriptionCancellation>
export type NewSubscription = Static<typeof NewSubscription>
