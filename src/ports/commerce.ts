// Port: a commerce platform that keeps a copy of each order, one instance per legal entity. Without one, the service's
// own tables are all there is. Amounts are decimal strings with the currency's minor digits, never numbers.
import type { ReceivedHeaders } from './standard-webhooks.ts'
import { Type, type Static } from 'typebox'

/** Which of our orders an order at the platform is the copy of; kept there with it. */
export type OrderMark = { organizationId: number; orderId: number }

export type PlatformOrderRequest = {
  mark: OrderMark
  number: string
  /** When our order was made: its copy cannot be older. */
  createdAt: Date
  status: string
  currency: string
  total: string
  /** `total` after discount and with tax; the totals add up to the order's. */
  lines: { description: string; total: string }[]
  billingName: string | null
  billingEmail: string | null
}

export type PlatformLine = {
  name: string
  sku: string | null
  quantity: number
  /** Before and after discounts, both without tax. Below zero: a discount of the whole order. */
  subtotal: string
  total: string
  tax: string
}

/** An order as the platform has it now. */
export type PlatformOrder = {
  /** The platform's id. */
  reference: string
  number: string
  /** Of the order's statuses, or one that only the platform knows (`draft`: not placed yet; `trashed`). */
  status: string
  currency: string
  total: string
  modifiedAt: Date
  paidAt: Date | null
  paymentMethod: string | null
  paymentMethodTitle: string | null
  billingName: string | null
  billingEmail: string | null
  /** As the buyer entered it; not verified. */
  billingCnpj: string | null
  note: string | null
  lines: PlatformLine[]
  /** `refundId`: ours, of a refund that this service recorded there. `amount` is positive. */
  refunds: { reference: string; amount: string; refundId: number | null }[]
  /** Set on orders that this service made there. */
  mark: OrderMark | null
  /** An organization that the shop's staff named. */
  organizationId: number | null
}

export type PlatformRefund = { refundId: number; amount: string; reason: string | null }

/** Stored events are read by this schema. The body shows the order at some time: only its id is used. */
export const CommerceEvent = Type.Object({
  kind: Type.Literal('order'),
  dedupeKey: Type.String(),
  /** The platform's own name of the event. */
  providerType: Type.String(),
  reference: Type.String(),
})
export type CommerceEvent = Static<typeof CommerceEvent>

/** The result of reading an inbound body. */
export type ReceivedCommerceEvent =
  | CommerceEvent
  /** Of a type that is not used. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string }
  /** Correctly signed, but not of a known shape. */
  | { kind: 'unreadable'; dedupeKey: string; providerType: string; reason: string }
  /** Sent unsigned when an endpoint is registered: answered, and nothing else. */
  | { kind: 'ping' }
  /** The signature is missing or wrong. */
  | { kind: 'unsigned'; reason: string }

/** The platform gave no answer, or none that says what happened: try again. */
export class CommerceUnavailable extends Error {}

/** The platform refused the request and would refuse it again. */
export class CommerceRefused extends Error {}

export interface Commerce {
  /** Such as `woocommerce`; references are only valid for this platform. */
  readonly platform: string
  /** Makes the copy of our order, or finds the one that an earlier request made. */
  putOrder(request: PlatformOrderRequest): Promise<PlatformOrder>
  /** Null: there is no such order, or not any more. */
  look(reference: string): Promise<PlatformOrder | null>
  /** Moves no money. */
  setStatus(reference: string, status: string): Promise<PlatformOrder>
  /** Records a refund that was made elsewhere, once for each `refundId`. Moves no money. */
  recordRefund(reference: string, refund: PlatformRefund): Promise<PlatformOrder>
  /** Orders that changed since then, the latest change first; at most two thousand. */
  changedSince(since: Date): Promise<{ reference: string; modifiedAt: Date }[]>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws because of the request. */
  readEvent(headers: ReceivedHeaders, body: Buffer): ReceivedCommerceEvent
}
