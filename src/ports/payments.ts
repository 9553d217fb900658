// Port: a payment provider, one instance per legal entity. Amounts are decimal strings with the currency's minor
// digits, never numbers.
import type { CodesRequest, PaymentCodes } from './payment-codes.ts'
import type { PaymentMethod } from './payment-settings.ts'
import type { ReceivedHeaders } from './standard-webhooks.ts'
import { Type, type Static } from 'typebox'
import { Company, Line, Nullable } from '#kernel/values/schema.ts'

export type CheckoutRequest = {
  /** Derived from the record; a second call with the same key opens nothing new. */
  idempotencyKey: string
  organizationId: number
  organizationName: string
  organizationEmail: string | null
  /** Only for an organization in Brazil: fourteen characters, no mask. */
  organizationCnpj: string | null
  /** The provider's id of the customer, when it is known. */
  customer: string | null
  orderId: number | null
  invoiceId: number
  invoiceNumber: string
  amount: string
  currency: string
  /** From the invoice's issue to its due date. */
  daysUntilDue: number
  /** Which of them its page offers. */
  methods: readonly PaymentMethod[]
  /** `total` after discount and tax; the totals add up to the amount. */
  lines: { description: string; quantity: number; unitPrice: string; total: string }[]
}

/** `reference` is the provider's id of the invoice: every event about the payment names it. */
export type Checkout = { reference: string; checkoutUrl: string; customer: string }

export type RefundRequest = {
  idempotencyKey: string
  /** The checkout's reference. */
  reference: string
  refundId: number
  amount: string
  currency: string
}

/** `reference` is the provider's id of the refund. */
export type ProviderRefund = { reference: string; status: 'processing' | 'succeeded' | 'failed' }

export type SubscriptionRequest = Omit<
  CheckoutRequest,
  'orderId' | 'invoiceId' | 'invoiceNumber' | 'lines' | 'daysUntilDue' | 'methods'
> & {
  orderId: number
  orderNumber: string
  interval: 'month' | 'year'
  /** It begins with so many days for nothing, and without a payment method; the first charge comes after them. */
  trialDays: number | null
}

/**
 * `status` is the provider's own value, which may be unknown to us, or `paused`. At `checkoutUrl` the customer pays the
 * first time and stores the payment method for the next ones.
 */
export type ProviderSubscription = {
  reference: string
  status: string
  checkoutUrl: string | null
  customer: string
  trialEndsAt: string | null
}

/** What each interval is charged. */
export type SubscriptionPlan = { reference: string; amount: string; currency: string }

/** When a cancellation takes effect; until the end of its period a subscription goes on. */
export const CANCELLATION_TIMES = ['now', 'period_end'] as const
export type CancellationTime = (typeof CANCELLATION_TIMES)[number]

/** What an interval's charge pays for: from `start` on, until before `end`. */
export type PaidPeriod = { start: string; end: string }

/** The present state of an object at the provider. */
export type PaymentState =
  | {
      resource: 'invoice'
      reference: string
      status: 'open' | 'paid' | 'void' | 'uncollectible'
      /** Paid so far. */
      amount: string
      /** All that it asks for. */
      total: string
      currency: string
      customer: string | null
      method: string | null
      paidAt: string | null
      /** The provider's subscription that this invoice belongs to. */
      subscription: string | null
      /** What it charges a subscription for; null where the provider does not say. */
      period: PaidPeriod | null
      /** Where the customer pays it. */
      payUrl: string | null
      /** How often the provider has tried to charge it. */
      attempts: number
    }
  | { resource: 'refund'; reference: string; status: ProviderRefund['status']; amount: string; currency: string }
  | {
      resource: 'subscription'
      reference: string
      status: string
      customer: string | null
      /** When it will end, if it was cancelled for a later time. */
      endsAt: string | null
      /** The provider's ids of its paid invoices, newest first. */
      paidInvoices: string[]
    }
  | {
      resource: 'dispute'
      reference: string
      /** `won`: it ended and nothing was lost. */
      status: DisputeStatus
      amount: string
      currency: string
      reason: string
      /** The provider's id of the invoice whose payment is disputed; null if it was no invoice's. */
      invoice: string | null
      /** Until when it can be answered there. */
      answerBy: string | null
      /** Whether the provider has taken the amount out of the account. */
      isWithdrawn: boolean
    }

export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

export type WatchedResource = PaymentState['resource']

/** Identifies an object at a provider; unique by all three fields (docs/decisions/0035). */
export const providerReference = { company: Company, provider: Line, reference: Line }
const ProviderReference = Type.Object(providerReference)
export type ProviderReference = Static<typeof ProviderReference>

const about = {
  /** The provider's event id: a repeat is the same event. */
  dedupeKey: Type.String(),
  /** The provider's own event type, stored for staff. */
  providerType: Type.String(),
  at: Type.String(),
}
const reference = Type.String()
/** The provider's subscription that the invoice belongs to. */
const subscription = Nullable(Type.String())
const money = { amount: Type.String(), currency: Type.String() }
const text = Nullable(Type.String())

/**
 * An inbound event in the port's terms. It names what changed; `look` gives the present state. Stored events are read
 * by this schema.
 */
export const PaymentEvent = Type.Union([
  Type.Object({
    ...about,
    kind: Type.Literal('paid'),
    reference,
    customer: text,
    ...money,
    method: text,
    paidAt: Type.String(),
    subscription,
  }),
  Type.Object({ ...about, kind: Type.Literal('payment_failed'), reference, subscription }),
  /** The provider closed the invoice without a payment. */
  Type.Object({ ...about, kind: Type.Enum(['voided', 'uncollectible']), reference, subscription }),
  Type.Object({
    ...about,
    kind: Type.Literal('refund'),
    reference,
    status: Type.Enum(['processing', 'succeeded', 'failed']),
    ...money,
  }),
  Type.Object({ ...about, kind: Type.Literal('subscription'), reference, status: Type.String() }),
  /** The payer's bank disputes a payment, or its dispute has changed. */
  Type.Object({ ...about, kind: Type.Literal('dispute'), reference, payment: text, ...money, reason: Type.String() }),
])
export type PaymentEvent = Static<typeof PaymentEvent>

/** The result of reading an inbound body. */
export type ReceivedEvent =
  | PaymentEvent
  /** Of a type that is not used. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string }
  /** Correctly signed, but not of a known shape. `dedupeKey` is the body's digest when it has no event id. */
  | { kind: 'unreadable'; dedupeKey: string; providerType: string; reason: string }
  /** The signature is missing, wrong or too old, or the event is of the provider's other mode (test, live). */
  | { kind: 'unsigned'; reason: string }

/** The provider gave no answer, or none that says what happened: try again with the same idempotency key. */
export class PaymentProviderUnavailable extends Error {}

/** The provider refused the request and would refuse it again. */
export class PaymentRefused extends Error {}

export interface Payments {
  /** Such as `stripe`; references and customer ids are only valid for this provider (docs/decisions/0035). */
  readonly provider: string
  openCheckout(request: CheckoutRequest): Promise<Checkout>
  /**
   * Codes for the open checkout, which are paid as its page is. Null where the provider gives none: for another
   * currency than BRL, and a boleto for a payer without CNPJ, e-mail or address.
   */
  paymentCodes(request: CodesRequest): Promise<PaymentCodes>
  /**
   * The address of the provider's page where the customer sees and replaces stored payment methods, for some minutes;
   * it leads back to `returnUrl`. Throws PaymentRefused for an unknown customer.
   */
  openMethodsPage(customer: string, returnUrl: string): Promise<string>
  /** Makes the open checkout and its codes unpayable. Succeeds when it is closed already. */
  closeCheckout(reference: string, idempotencyKey: string): Promise<void>
  refund(request: RefundRequest): Promise<ProviderRefund>
  /** Reads the present state. Throws PaymentRefused for an unknown reference. */
  look(resource: WatchedResource, reference: string): Promise<PaymentState>
  /** After the customer's first payment the provider charges automatically at each interval. */
  openSubscription(request: SubscriptionRequest): Promise<ProviderSubscription>
  /** Succeeds when it is cancelled already. */
  cancelSubscription(reference: string, at: CancellationTime): Promise<void>
  /** Takes back a cancellation at the end of the period. Succeeds when there is none, or it has ended. */
  keepSubscription(reference: string): Promise<void>
  /** Another amount from the next interval on, without proration. Succeeds when it is so, or has ended. */
  changeSubscription(plan: SubscriptionPlan): Promise<void>
  /** Charges for no interval that begins from now on; its status is `paused`. Succeeds when it is so, or has ended. */
  pauseSubscription(reference: string): Promise<void>
  /**
   * Charges again, from the next interval on; at once for a new interval if the present one was not charged because of
   * the pause. Succeeds when it is not paused.
   */
  resumeSubscription(reference: string): Promise<void>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws because of the request. */
  readEvent(headers: ReceivedHeaders, body: Buffer, now: Date): ReceivedEvent
}
