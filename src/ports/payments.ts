// What we need of a payment provider, one instance per legal entity. Amounts are decimal strings with the
// currency's minor digits, never numbers.

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

/** What an inbound event says, in our words. It says where to look; how things stand is what `look` gives. */
export type PaymentEvent = {
  /** The provider's event id: a repeat is the same event. */
  dedupeKey: string
  /** The provider's own type, kept for the people who read the store. */
  providerType: string
  at: string
} & (
  | {
      kind: 'paid'
      reference: string
      customer: string | null
      amount: string
      currency: string
      method: string | null
      paidAt: string
      /** The provider's subscription that made the invoice. */
      subscription: string | null
    }
  | { kind: 'payment_failed'; reference: string; subscription: string | null }
  /** The invoice was closed there without a payment. */
  | { kind: 'voided' | 'uncollectible'; reference: string; subscription: string | null }
  | {
      kind: 'refund'
      reference: string
      status: 'processing' | 'succeeded' | 'failed'
      amount: string
      currency: string
    }
  | { kind: 'subscription'; reference: string; status: string }
  /** The payer's bank takes a payment back: a person has to answer there. */
  | { kind: 'dispute'; reference: string; payment: string | null; amount: string; currency: string; reason: string }
  /** Kept and ignored. */
  | { kind: 'ignored' }
)

/** The signature is missing, wrong or too old. */
export class BadSignature extends Error {}

/** The provider did not answer, or not in a way that tells what happened: try again with the same idempotency key. */
export class PaymentProviderUnavailable extends Error {}

/** The provider refused the request and would refuse it again. */
export class PaymentRefused extends Error {}

export interface Payments {
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
  /** Verifies the signature over the raw bytes, then reads. Throws BadSignature before it parses anything. */
  readEvent(headers: Record<string, string | string[] | undefined>, body: Buffer, now: Date): PaymentEvent
}
