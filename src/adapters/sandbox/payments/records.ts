// What the sandbox payment provider remembers, one file per record. The objects have the shapes of Stripe's API.
import { Type, type Static } from 'typebox'

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

const InvoicePayment = Type.Object({
  object: Type.Literal('invoice_payment'),
  status: Type.Literal('paid'),
  amount_paid: Amount,
  payment: Type.Object({ type: Type.Literal('payment_intent'), payment_intent: Type.String() }),
})

const InvoiceLine = Type.Object({
  object: Type.Literal('line_item'),
  description: Type.String(),
  quantity: Type.Integer({ minimum: 0 }),
  amount: Amount,
  pricing: Type.Object({ unit_amount_decimal: Type.String() }),
})

export const Invoice = Type.Object({
  id: Type.String(),
  object: Type.Literal('invoice'),
  livemode: Type.Literal(false),
  created: Seconds,
  status: Type.Union([Type.Literal('open'), Type.Literal('paid'), Type.Literal('void')]),
  number: Type.String(),
  customer: Type.String(),
  currency: Type.String(),
  total: Amount,
  amount_due: Amount,
  amount_paid: Amount,
  amount_remaining: Amount,
  attempt_count: Type.Integer({ minimum: 0 }),
  hosted_invoice_url: Type.String(),
  lines: Type.Object({ object: Type.Literal('list'), data: Type.Array(InvoiceLine) }),
  metadata: Metadata,
  parent: Type.Optional(
    Type.Object({
      type: Type.Literal('subscription_details'),
      subscription_details: Type.Object({ subscription: Type.String() }),
    }),
  ),
  payment_settings: Type.Object({ payment_method_types: Type.Array(Type.String()) }),
  payments: Type.Object({ object: Type.Literal('list'), data: Type.Array(InvoicePayment) }),
  status_transitions: Type.Object({
    finalized_at: nullable(Seconds),
    paid_at: nullable(Seconds),
    voided_at: nullable(Seconds),
    marked_uncollectible_at: nullable(Seconds),
  }),
  // Not Stripe's: there the reason hangs on the payment intent.
  last_payment_error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
})

export const Refund = Type.Object({
  id: Type.String(),
  object: Type.Literal('refund'),
  created: Seconds,
  status: Type.Union([Type.Literal('pending'), Type.Literal('succeeded')]),
  amount: Amount,
  currency: Type.String(),
  payment_intent: Type.String(),
  metadata: Metadata,
})

export const Subscription = Type.Object({
  id: Type.String(),
  object: Type.Literal('subscription'),
  livemode: Type.Literal(false),
  created: Seconds,
  status: Type.String(),
  customer: Type.String(),
  currency: Type.String(),
  latest_invoice: Type.String(),
  metadata: Metadata,
  // Not Stripe's: there they hang on the items.
  amount: Amount,
  interval: Type.String(),
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

/** `delivered_at` and `given_up_at` both null: it is still to be sent. */
const Delivery = Type.Object({
  event: ProviderEvent,
  attempts: Type.Integer({ minimum: 0 }),
  delivered_at: nullable(Type.String()),
  given_up_at: nullable(Type.String()),
})

/** The first answer to an idempotency key (by its hash), with the fingerprint of what was asked. */
const Answers = Type.Record(Type.String(), Type.Object({ fingerprint: Type.String(), body: Type.String() }))

const common = { answers: Answers, deliveries: Type.Array(Delivery) }

export const CustomerRecord = Type.Object({ kind: Type.Literal('customer'), object: Customer, ...common })
export const InvoiceRecord = Type.Object({
  kind: Type.Literal('invoice'),
  object: Invoice,
  /** Amounts by refund id, reserved before the refund's own file is written, so that refunds never exceed what was paid. */
  refunds: Type.Record(Type.String(), Amount),
  ...common,
})
export const RefundRecord = Type.Object({
  kind: Type.Literal('refund'),
  object: Refund,
  /** When it will be confirmed, in milliseconds. */
  confirms_at: Type.Integer(),
  ...common,
})
export const SubscriptionRecord = Type.Object({
  kind: Type.Literal('subscription'),
  object: Subscription,
  ...common,
})
export const PaymentRecord = Type.Union([CustomerRecord, InvoiceRecord, RefundRecord, SubscriptionRecord])

export type Customer = Static<typeof Customer>
export type Invoice = Static<typeof Invoice>
export type Refund = Static<typeof Refund>
export type Subscription = Static<typeof Subscription>
export type ProviderEvent = Static<typeof ProviderEvent>
export type Answers = Static<typeof Answers>
export type InvoiceRecord = Static<typeof InvoiceRecord>
export type RefundRecord = Static<typeof RefundRecord>
export type SubscriptionRecord = Static<typeof SubscriptionRecord>
export type PaymentRecord = Static<typeof PaymentRecord>
