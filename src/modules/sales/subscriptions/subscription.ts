// Subscriptions of orders (spec 6.2): charged automatically by the payment provider, whose state moves the order.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Type, type Static } from 'typebox'
import { Bound, LineItem, NewLineItem } from '#modules/delivery/products/line-item.ts'
import {
  ARREARS,
  COLLECTION_METHODS,
  type OrderRow,
  type OrderStatus,
  PausedBy,
  PurchaseOrder,
  Side,
} from '#modules/sales/orders/order.ts'
import { givenIntegration } from '#kernel/values/integration.ts'
import { CANCELLATION_TIMES } from '#ports/payments.ts'
import { PAUSED, REQUESTED } from './subscription-status.ts'
import {
  AnyOf,
  CalendarDate,
  Closed,
  Company,
  Currency,
  Id,
  Interval,
  Line,
  Money,
  Name,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'

export { ACTIVE, CANCELLED, hasEnded, isRunning, PAUSED, REQUESTED, TRIALING, UNPAID } from './subscription-status.ts'

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

/** Whether it is paused because what it renews is suspended for what is due. */
export const isInArrears = ({
  subscription_status: status,
  subscription_paused_by: by,
}: Pick<OrderRow, 'subscription_status' | 'subscription_paused_by'>): boolean => status === PAUSED && by === ARREARS

/** Whether the order's status forbids charging it. */
export const isOver = ({ status }: Pick<OrderRow, 'status'>): boolean => status === 'cancelled' || status === 'refunded'

const CollectionMethod = Type.Enum(COLLECTION_METHODS, {
  description:
    '`charge_automatically`: by the payment provider; `send_invoice`: each period gets an invoice, which ' +
    'the customer pays',
  examples: ['send_invoice'],
})

export const Subscription = Type.Object(
  {
    order_id: Id,
    company: Company,
    status: Type.String({
      description:
        '`requested` until the payment provider has answered, then the provider’s status; with ' +
        '`send_invoice` one of `incomplete` (until the first payment), `trialing`, `active`, `paused`, ' +
        '`canceled`',
      examples: ['active'],
    }),
    order_status: Type.String({ examples: ['completed'] }),
    collection_method: CollectionMethod,
    reference: Nullable(Line),
    interval: Nullable(Interval),
    amount: Nullable(Money),
    currency: Currency,
    line_items: Type.Array(LineItem, { description: 'What the next periods bill; automatic charging bills `amount`' }),
    self_service: Type.Array(Type.String({ examples: ['cancel'] }), {
      description: 'What customers may do themselves: `cancel`, change the `quantity`, `pause`',
      examples: [['cancel', 'quantity']],
    }),
    checkout_url: Nullable(Text),
    requested_at: Timestamp,
    trial_ends_at: Nullable({ ...Timestamp, description: 'The end of the trial that it began with' }),
    ends_at: Nullable({ ...Timestamp, description: 'When it ends, if it was cancelled for the end of its period' }),
    cancelled_by: Nullable({
      ...Side,
      description: 'Who cancelled it, or asked the provider to; null: nobody, or somebody there',
    }),
    cancel_reason: Nullable({ ...Text, description: 'Why, as they said', examples: ['We have fewer people now'] }),
    paused_by: Nullable({
      ...PausedBy,
      description:
        'Who paused it, or asked the provider to; `arrears`: what it renews is suspended for what is due, and it ' +
        'goes on when that is paid',
    }),
    invoiced_until: Nullable({
      ...Timestamp,
      description: 'With `send_invoice`: the end of the latest period that has an invoice, or of the trial',
    }),
    next_invoice_at: Nullable({ ...Timestamp, description: 'With `send_invoice`: when the next invoice is made' }),
  },
  { description: 'The regular billing of an order' },
)
export type Subscription = Static<typeof Subscription>

const OF_LINE = ['quantity', 'entitlement_class', 'description', 'tax_percent'] as const
const BroughtLine = Closed({
  product_name: Name,
  unit_price: Money,
  ...Type.Pick(NewLineItem, OF_LINE).properties,
})
export type BroughtLine = Static<typeof BroughtLine>

/** One that another system has billed until `next_date`. */
export const BroughtSubscription = Closed({
  company: Type.Optional(Company),
  currency: Currency,
  interval: Interval,
  next_date: CalendarDate,
  collection_method: Type.Optional(CollectionMethod),
  ...Type.Partial(BroughtLine).properties,
  line_items: Type.Optional(Type.Array(BroughtLine, { minItems: 1, maxItems: 100 })),
  purchase_order: Type.Optional(PurchaseOrder),
  notes: Type.Optional(Text),
  metadata: givenIntegration.metadata,
})
export type BroughtSubscription = Static<typeof BroughtSubscription>

export const SubscriptionFilters = Closed({
  ...Paging,
  status: AnyOf(Type.Enum([REQUESTED, ...Object.keys(ORDER_STATUS)], { examples: ['active'] }), {
    description: '`requested`, or the payment provider’s statuses',
  }),
})
export type SubscriptionFilters = Static<typeof SubscriptionFilters>
export const AdministratorsSubscriptionFilters = acrossFilters({
  ...SubscriptionFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsSubscriptionFilters = Static<typeof AdministratorsSubscriptionFilters>

export const NewSubscription = Closed({
  organization_id: Type.Optional(Id),
  collection_method: Type.Optional({ ...CollectionMethod, description: '`charge_automatically` by default' }),
  interval: Type.Optional({ ...Interval, description: 'Required where no line of the order has one' }),
  amount: Type.Optional({
    ...Money,
    description: 'By default what the lines that are billed again add up to, else the order’s total',
  }),
  trial_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 730,
      description:
        'For an order that is not paid: it is delivered without a payment, its invoice becomes void, and ' +
        'the first period begins after so many days',
      examples: [14],
    }),
  ),
})
export const SubscriptionCancellation = Closed({
  organization_id: Type.Optional(Id),
  at: Type.Optional(
    Type.Enum(CANCELLATION_TIMES, {
      description: '`now` is the default of staff; until `period_end`, as customers cancel, it goes on',
      examples: ['period_end'],
    }),
  ),
  reason: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Why; members with the scope `orders` see it, and get it by mail',
        examples: ['We have fewer people now'],
      }),
    ),
  ),
})
const { quantity, discount, discount_percent } = NewLineItem.properties

const PlanLine = Closed({
  entitlement_code: Type.String({
    maxLength: 100,
    examples: ['PLG-2026110001'],
    description: 'Of the line that changes',
  }),
  quantity: Type.Optional(quantity),
  unit_price: Type.Optional({ ...Money, description: 'Unchanged when absent' }),
  discount,
  discount_percent,
  quantity_min: Type.Optional(
    Nullable({ ...Bound, description: 'The least that the customer may change it to; null: it is fixed' }),
  ),
  quantity_max: Type.Optional(Nullable({ ...Bound, description: 'The most that the customer may change it to' })),
})
export type PlanLine = Static<typeof PlanLine>

export const PlanChange = Closed({
  organization_id: Type.Optional(Id),
  line_items: Type.Array(PlanLine, { minItems: 1, maxItems: 100 }),
})
export type PlanChange = Static<typeof PlanChange>

export const SubscriptionChange = Closed({ organization_id: Type.Optional(Id) })
export type SubscriptionChange = Static<typeof SubscriptionChange>
export type SubscriptionCancellation = Static<typeof SubscriptionCancellation>
export type NewSubscription = Static<typeof NewSubscription>
