// What we need of a payment provider, one instance per legal entity. Amounts are decimal strings with the
// currency's minor digits, never numbers.
import { Type, type Static } from 'typebox'
import { Company, Line, Nullable } from '#kernel/values/schema.ts'

export type CheckoutRequest = {
  /** Derived from the business act; a repeat with the same key opens nothing new. */
  idempotencyKey: string
  organizationId: number
  organizationName: string
  organizationEmail: string | null
  /** Of an organization in Brazil: fourteen characters, no mask. */
  organizationCnpj: string | null
  /** The provider's customer id, when the organization has one already. */
  customer: string | null
  orderId: number | null
  invoiceId: number
  invoiceNumber: string
  amount: string
  currency: string
  /** From the invoice's issue to its due date. */
  daysUntilDue: number
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
  'orderId' | 'invoiceId' | 'invoiceNumber' | 'lines' | 'daysUntilDue'
> & {
  orderId: number
  orderNumber: string
  interval: 'month' | 'year'
}

/**
 * `status` is the provider's own word, which may be one that we do not know. `checkoutUrl` is where the customer pays
 * the first time and leaves the means for the next ones.
 */
export type ProviderSubscription = { reference: string; status: string; checkoutUrl: string | null; customer: string }

/** How one of our references stands at the provider now. */
export type PaymentState =
  | {
      resource: 'invoice'
      reference: string
      status: 'open' | 'paid' | 'void' | 'uncollectible'
      /** What was paid so far. */
      amount: string
      currency: string
      customer: string | null
      method: string | null
      paidAt: string | null
      /** The provider's subscription that made this invoice. */
      subscription: string | null
    }
  | { resource: 'refund'; reference: string; status: ProviderRefund['status']; amount: string; currency: string }
  | {
      resource: 'subscription'
      reference: string
      status: string
      customer: string | null
      /** The provider's ids of those that it was paid with, newest first. */
      paidInvoices: string[]
    }

export type Watched = PaymentState['resource']

/** The name of an object at a provider: unique by all three (docs/decisions/0035). Of payloads that name one. */
export const providerReference = { company: Company, provider: Line, reference: Line }
const ProviderReference = Type.Object(providerReference)
export type ProviderReference = Static<typeof ProviderReference>

const about = {
  /** The provider's event id: a repeat is the same event. */
  dedupeKey: Type.String(),
  /** The provider's own type, kept for the people who read the store. */
  providerType: Type.String(),
  at: Type.String(),
}
const reference = Type.String()
/** The provider's subscription that made the invoice. */
const subscription = Nullable(Type.String())
const money = { amount: Type.String(), currency: Type.String() }
const text = Nullable(Type.String())

/**
 * What an inbound event says, in our words. It says where to look; how things stand is what `look` gives. The schema is
 * what stored events are read by.
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
  /** The invoice was closed there without a payment. */
  Type.Object({ ...about, kind: Type.Enum(['voided', 'uncollectible']), reference, subscription }),
  Type.Object({
    ...about,
    kind: Type.Literal('refund'),
    reference,
    status: Type.Enum(['processing', 'succeeded', 'failed']),
    ...money,
  }),
  Type.Object({ ...about, kind: Type.Literal('subscription'), reference, status: Type.String() }),
  /** The payer's bank takes a payment back: a person has to answer there. */
  Type.Object({ ...about, kind: Type.Literal('dispute'), reference, payment: text, ...money, reason: Type.String() }),
])
export type PaymentEvent = Static<typeof PaymentEvent>

/** What an inbound body turned out to be. */
export type ReceivedEvent =
  | PaymentEvent
  /** Of a type that nobody needs. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string; at: string }
  /** Rightly signed, but not in a shape that says anything certain. Without an id of its own it is known by its digest. */
  | { kind: 'unreadable'; dedupeKey: string; providerType: string; reason: string }
  /** The signature is missing, wrong or too old, or the event is of the provider's other mode (test, live). */
  | { kind: 'unsigned'; reason: string }

/** The provider did not answer, or not in a way that tells what happened: try again with the same idempotency key. */
export class PaymentProviderUnavailable extends Error {}

/** The provider refused the request and would refuse it again. */
export class PaymentRefused extends Error {}

export interface Payments {
  /** Whose the references and customers are, such as `stripe`: another name, other ids (docs/decisions/0035). */
  readonly provider: string
  openCheckout(request: CheckoutRequest): Promise<Checkout>
  /** Makes the open checkout unpayable. Closing one that is closed already is a success. */
  closeCheckout(reference: string, idempotencyKey: string): Promise<void>
  refund(request: RefundRequest): Promise<ProviderRefund>
  /** Asks; changes nothing. What does not exist there is PaymentRefused. */
  look(resource: Watched, reference: string): Promise<PaymentState>
  /** Charged automatically at each interval once the customer has paid the first time. */
  openSubscription(request: SubscriptionRequest): Promise<ProviderSubscription>
  /** At once. Cancelling one that is cancelled already is a success. */
  cancelSubscription(reference: string): Promise<void>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws for what was sent. */
  readEvent(headers: Record<string, string | string[] | undefined>, body: Buffer, now: Date): ReceivedEvent
}
