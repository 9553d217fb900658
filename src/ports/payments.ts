// What we need of a payment provider, one instance per legal entity. Amounts are decimal strings with the
// currency's minor digits, never numbers.

export type CheckoutRequest = {
  /** Derived from the business act; a repeat with the same key opens nothing new. */
  idempotencyKey: string
  organizationId: number
  organizationName: string
  organizationEmail: string | null
  /** The provider's customer id, when the organization has one already. */
  customer: string | null
  invoiceId: number
  invoiceNumber: string
  amount: string
  currency: string
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

/** What an inbound event says, in our words. */
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
    }
  | { kind: 'payment_failed'; reference: string; reason: string | null }
  | {
      kind: 'refund'
      reference: string
      status: 'processing' | 'succeeded' | 'failed'
      amount: string
      currency: string
    }
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
  /** Verifies the signature over the raw bytes, then reads. Throws BadSignature before it parses anything. */
  readEvent(headers: Record<string, string | string[] | undefined>, body: Buffer, now: Date): PaymentEvent
}
