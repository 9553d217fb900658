// The fields that are read of Stripe's answers; an answer without one of them counts as unreadable.
import { Type, type Static } from 'typebox'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

export const Id = Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' })
export const Seconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799 })
export const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Currency = Type.String({ pattern: '^[a-z]{3}$' })
const HttpUrl = Type.String({ pattern: '^https?://', maxLength: 2_000 })

/** An id, or in an expanded answer the object itself. */
const Reference = Type.Union([Id, Type.Object({ id: Id })])
export type Reference = string | { id: string } | null | undefined
export const idOf = (reference: Reference): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

export const CustomerAnswer = Type.Object({ id: Id, deleted: Type.Optional(Type.Boolean()) })

/** Since 2025 a subscription's invoice has the subscription's id below `parent`. */
export const Parent = Type.Optional(
  orNull(
    Type.Object({
      subscription_details: Type.Optional(orNull(Type.Object({ subscription: Type.Optional(orNull(Reference)) }))),
    }),
  ),
)
export type Parent = { subscription_details?: { subscription?: Reference } | null } | null | undefined
export const subscriptionOf = (parent: Parent): string | null => idOf(parent?.subscription_details?.subscription)
/** Events have the version of their endpoint: before 2025-03-31.basil, the id is the invoice's own. */
export const OldSubscription = Type.Optional(orNull(Reference))

export const InvoicePayment = Type.Object({
  status: Type.String(),
  payment: Type.Object({
    type: Type.String(),
    payment_intent: Type.Optional(orNull(Reference)),
    charge: Type.Optional(orNull(Reference)),
  }),
})

/** Only the line of a subscription's item has the period that is paid; the invoice's own is the one before. */
const InvoiceLine = Type.Object({
  id: Type.String(),
  period: Type.Optional(orNull(Type.Object({ start: Seconds, end: Seconds }))),
  parent: Type.Optional(
    orNull(
      Type.Object({
        subscription_item_details: Type.Optional(
          orNull(Type.Object({ proration: Type.Optional(orNull(Type.Boolean())) })),
        ),
      }),
    ),
  ),
})
export type InvoiceLine = Static<typeof InvoiceLine>

export const InvoiceAnswer = Type.Object({
  id: Id,
  status: orNull(Type.String()),
  currency: Currency,
  total: Type.Integer(),
  amount_paid: Amount,
  attempt_count: Type.Optional(Type.Integer({ minimum: 0 })),
  customer: orNull(Reference),
  hosted_invoice_url: Type.Optional(orNull(HttpUrl)),
  lines: Type.Object({ data: Type.Array(InvoiceLine) }),
  payments: Type.Optional(Type.Object({ data: Type.Array(InvoicePayment) })),
  status_transitions: Type.Object({ paid_at: orNull(Seconds) }),
  parent: Parent,
})

const Metadata = Type.Optional(orNull(Type.Record(Type.String(), Type.String())))

export const InvoiceList = Type.Object({
  data: Type.Array(Type.Object({ id: Id, total: Type.Optional(Type.Integer()), metadata: Metadata })),
})

export const RefundAnswer = Type.Object({
  id: Id,
  status: orNull(Type.String()),
  amount: Amount,
  currency: Currency,
  metadata: Metadata,
})

export const RefundList = Type.Object({ data: Type.Array(RefundAnswer) })

export const DisputeAnswer = Type.Object({
  id: Id,
  amount: Amount,
  currency: Currency,
  reason: Type.String(),
  status: Type.String(),
  payment_intent: Type.Optional(orNull(Reference)),
  evidence_details: Type.Optional(orNull(Type.Object({ due_by: Type.Optional(orNull(Seconds)) }))),
  /** Of the account: what was withdrawn is negative, what came back is not. */
  balance_transactions: Type.Optional(Type.Array(Type.Object({ amount: Type.Integer() }))),
})
export type DisputeAnswer = Static<typeof DisputeAnswer>

/** Which invoice a payment is of. */
export const InvoicePaymentList = Type.Object({ data: Type.Array(Type.Object({ invoice: Reference })) })

export const PaymentIntentAnswer = Type.Object({
  latest_charge: Type.Optional(
    orNull(
      Type.Union([
        Id,
        Type.Object({ payment_method_details: Type.Optional(orNull(Type.Object({ type: Type.String() }))) }),
      ]),
    ),
  ),
})

/** A payment intent that shows a code. */
export const CodeAnswer = Type.Object({
  id: Id,
  next_action: Type.Optional(
    orNull(
      Type.Object({
        pix_display_qr_code: Type.Optional(
          Type.Object({ data: Type.Optional(Type.String({ maxLength: 1000 })), expires_at: Type.Optional(Seconds) }),
        ),
        boleto_display_details: Type.Optional(
          Type.Object({
            number: orNull(Type.String()),
            pdf: Type.Optional(orNull(HttpUrl)),
            hosted_voucher_url: Type.Optional(orNull(HttpUrl)),
            expires_at: orNull(Seconds),
          }),
        ),
      }),
    ),
  ),
})
export const InvoicePayments = Type.Object({
  data: Type.Array(
    Type.Object({
      is_default: Type.Boolean(),
      payment: Type.Object({ payment_intent: Type.Optional(orNull(Reference)) }),
    }),
  ),
})

export const SessionAnswer = Type.Object({ url: HttpUrl })

export const ProductAnswer = Type.Object({ id: Id })

export const SubscriptionAnswer = Type.Object({
  id: Id,
  status: Type.String({ pattern: '^[a-z_]{1,100}$' }),
  customer: Reference,
  cancel_at: Type.Optional(orNull(Seconds)),
  trial_end: Type.Optional(orNull(Seconds)),
  /** Set while nothing is collected; the status does not tell. */
  pause_collection: Type.Optional(orNull(Type.Object({}))),
  latest_invoice: Type.Optional(
    orNull(
      Type.Union([
        Id,
        Type.Object({
          id: Id,
          status: Type.Optional(orNull(Type.String())),
          hosted_invoice_url: Type.Optional(orNull(HttpUrl)),
        }),
      ]),
    ),
  ),
})
/** With what it charges. */
export const SubscriptionItemsAnswer = Type.Object({
  status: Type.String(),
  items: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Id,
        price: Type.Object({
          product: Reference,
          unit_amount: orNull(Type.Integer()),
          recurring: Type.Object({ interval: Type.Enum(['month', 'year']) }),
        }),
      }),
    ),
  }),
})
export type SubscriptionAnswer = Static<typeof SubscriptionAnswer>
