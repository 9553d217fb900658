// The records of the sandbox payment provider, one file each. Their objects have the shapes of Stripe's API.
import { Type, type Static } from 'typebox'
import { PaymentIntent } from './payment-intent.ts'

/** The implemented version of Stripe's API; a call with another one is refused. */
export const API_VERSION = '2026-10-28.endive'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const Seconds = Type.Integer({ minimum: 0 })
const Amount = Type.Integer({ minimum: 0 })
const Metadata = Type.Record(Type.String(), Type.String())

const Customer = Type.Object({
  id: Type.String(),
  object: Type.Literal('customer'),
  livemode: Type.Literal(false),
  created: Seconds,
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  metadata: Metadata,
})

const TaxId = Type.Object({
  id: Type.String(),
  object: Type.Literal('tax_id'),
  customer: Type.String(),
  type: Type.String(),
  value: Type.String(),
})

const InvoicePayment = Type.Object({
  object: Type.Literal('invoice_payment'),
  is_default: Type.Optional(Type.Boolean()),
  status: Type.Enum(['open', 'paid']),
  amount_paid: nullable(Amount),
  payment: Type.Object({ type: Type.Literal('payment_intent'), payment_intent: Type.String() }),
})

const InvoiceLine = Type.Object({
  id: Type.String(),
  object: Type.Literal('line_item'),
  description: Type.String(),
  amount: Amount,
  period: Type.Optional(Type.Object({ start: Seconds, end: Seconds })),
  parent: Type.Optional(
    Type.Object({
      type: Type.Literal('subscription_item_details'),
      subscription_item_details: Type.Object({ subscription: Type.String(), proration: Type.Boolean() }),
    }),
  ),
})

const Invoice = Type.Object({
  id: Type.String(),
  object: Type.Literal('invoice'),
  livemode: Type.Literal(false),
  created: Seconds,
  status: Type.Enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
  number: nullable(Type.String()),
  customer: Type.String(),
  currency: Type.String(),
  collection_method: Type.Enum(['send_invoice', 'charge_automatically']),
  custom_fields: nullable(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
  total: Amount,
  amount_due: Amount,
  amount_paid: Amount,
  amount_remaining: Amount,
  attempt_count: Type.Integer({ minimum: 0 }),
  hosted_invoice_url: nullable(Type.String()),
  lines: Type.Object({ object: Type.Literal('list'), data: Type.Array(InvoiceLine) }),
  metadata: Metadata,
  parent: nullable(
    Type.Object({
      type: Type.Literal('subscription_details'),
      subscription_details: Type.Object({ subscription: Type.String(), metadata: Metadata }),
    }),
  ),
  payment_settings: Type.Object({ payment_method_types: nullable(Type.Array(Type.String())) }),
  payments: Type.Object({ object: Type.Literal('list'), data: Type.Array(InvoicePayment) }),
  status_transitions: Type.Object({
    finalized_at: nullable(Seconds),
    paid_at: nullable(Seconds),
    voided_at: nullable(Seconds),
    marked_uncollectible_at: nullable(Seconds),
  }),
})

const Refund = Type.Object({
  id: Type.String(),
  object: Type.Literal('refund'),
  created: Seconds,
  status: Type.Enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  amount: Amount,
  currency: Type.String(),
  payment_intent: Type.String(),
  metadata: Metadata,
})

const Dispute = Type.Object({
  id: Type.String(),
  object: Type.Literal('dispute'),
  livemode: Type.Literal(false),
  created: Seconds,
  status: Type.Enum(['needs_response', 'under_review', 'won', 'lost']),
  amount: Amount,
  currency: Type.String(),
  reason: Type.String(),
  payment_intent: Type.String(),
  evidence_details: Type.Object({ due_by: nullable(Seconds) }),
  balance_transactions: Type.Array(
    Type.Object({ object: Type.Literal('balance_transaction'), amount: Type.Integer() }),
  ),
})

const Subscription = Type.Object({
  id: Type.String(),
  object: Type.Literal('subscription'),
  livemode: Type.Literal(false),
  created: Seconds,
  status: Type.String(),
  cancel_at: Type.Optional(nullable(Seconds)),
  cancel_at_period_end: Type.Optional(Type.Boolean()),
  /** While it is set, invoices are voided when they are made. */
  pause_collection: Type.Optional(nullable(Type.Object({ behavior: Type.Literal('void') }))),
  /** The end of a trial, which has an invoice of 0. */
  trial_end: Type.Optional(nullable(Seconds)),
  /** Intervals are counted from it; absent: from the creation. */
  billing_cycle_anchor: Type.Optional(Seconds),
  customer: Type.String(),
  currency: Type.String(),
  collection_method: Type.Literal('charge_automatically'),
  items: Type.Object({
    object: Type.Literal('list'),
    data: Type.Tuple([
      Type.Object({
        /** Absent in what was made before items could change. */
        id: Type.Optional(Type.String()),
        object: Type.Literal('subscription_item'),
        quantity: Type.Literal(1),
        price: Type.Object({
          object: Type.Literal('price'),
          product: Type.String(),
          unit_amount: Amount,
          recurring: Type.Object({ interval: Type.String() }),
        }),
      }),
    ]),
  }),
  latest_invoice: Type.String(),
  metadata: Metadata,
})

const ProviderEvent = Type.Object({
  id: Type.String(),
  object: Type.Literal('event'),
  api_version: Type.String(),
  created: Seconds,
  livemode: Type.Literal(false),
  type: Type.String(),
  pending_webhooks: Type.Integer(),
  request: Type.Object({ id: Type.Null(), idempotency_key: Type.Null() }),
  data: Type.Object({ object: Type.Unknown() }),
})

/** Still to be sent while `delivered_at` and `given_up_at` are both null. */
const Delivery = Type.Object({
  event: ProviderEvent,
  attempts: Type.Integer({ minimum: 0 }),
  delivered_at: nullable(Type.String()),
  given_up_at: nullable(Type.String()),
})

/** The first answer to each idempotency key (by its hash), with the fingerprint of the call. */
const Answers = Type.Record(Type.String(), Type.Object({ fingerprint: Type.String(), body: Type.String() }))

const common = { answers: Answers, deliveries: Type.Array(Delivery) }

const CustomerRecord = Type.Object({
  kind: Type.Literal('customer'),
  object: Customer,
  tax_ids: Type.Array(TaxId),
  /** The number of the card on file, and where its page leads back to; absent: before the page was opened. */
  methods: Type.Optional(Type.Object({ last4: Type.String(), return_url: Type.String() })),
  /** The ids of the customer's invoices, the oldest first; each is added before the invoice's own file is written. */
  invoices: Type.Array(Type.String()),
  ...common,
})
const InvoiceRecord = Type.Object({
  kind: Type.Literal('invoice'),
  object: Invoice,
  /** The payment method; at Stripe the charge has it, not the invoice. */
  method: nullable(Type.String()),
  /** Whether the last attempt failed; at Stripe the payment intent has the reason. */
  is_declined: Type.Boolean(),
  /**
   * Amounts by the id of the refund or dispute, reserved before its own file is written, so that refunds never exceed
   * the payment.
   */
  refunds: Type.Record(Type.String(), Amount),
  ...common,
})
const RefundRecord = Type.Object({
  kind: Type.Literal('refund'),
  object: Refund,
  /** Time of the confirmation, in milliseconds. */
  confirms_at: Type.Integer(),
  ...common,
})
const SubscriptionRecord = Type.Object({
  kind: Type.Literal('subscription'),
  object: Subscription,
  /** The ids of its invoices, the oldest first. */
  invoices: Type.Array(Type.String()),
  /** Which of them is the first that was made at the present anchor or later; absent: the first of all. */
  first_of_cycle: Type.Optional(Type.Integer({ minimum: 0 })),
  ...common,
})
const PaymentIntentRecord = Type.Object({
  kind: Type.Literal('payment_intent'),
  object: PaymentIntent,
  /** The invoice that it is attached to. */
  invoice: nullable(Type.String()),
  ...common,
})
const DisputeRecord = Type.Object({ kind: Type.Literal('dispute'), object: Dispute, ...common })
export const PaymentRecord = Type.Union([
  CustomerRecord,
  InvoiceRecord,
  RefundRecord,
  SubscriptionRecord,
  DisputeRecord,
  PaymentIntentRecord,
])

export type Customer = Static<typeof Customer>
export type TaxId = Static<typeof TaxId>
export type PaymentIntentRecord = Static<typeof PaymentIntentRecord>
export type Invoice = Static<typeof Invoice>
export type InvoiceLine = Static<typeof InvoiceLine>
export type Refund = Static<typeof Refund>
export type Dispute = Static<typeof Dispute>
export type Subscription = Static<typeof Subscription>
export type ProviderEvent = Static<typeof ProviderEvent>
export type Answers = Static<typeof Answers>
export type CustomerRecord = Static<typeof CustomerRecord>
export type InvoiceRecord = Static<typeof InvoiceRecord>
export type RefundRecord = Static<typeof RefundRecord>
export type DisputeRecord = Static<typeof DisputeRecord>
export type SubscriptionRecord = Static<typeof SubscriptionRecord>
export type PaymentRecord = Static<typeof PaymentRecord>
