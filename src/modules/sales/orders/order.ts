// The order (spec 2.8, 3.3): what was bought, as the accepted quote said.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { AMOUNT, listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { org } from '#kernel/values/permissions.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, integration } from '#kernel/values/integration.ts'
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
  Nullable,
  Paging,
  PartFilter,
  Reference,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { LineItem } from '../../delivery/products/line-item.ts'

export const STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'] as const
export const OrderStatus = Type.Enum(STATUSES, { examples: ['processing'] })
export type OrderStatus = (typeof STATUSES)[number]

/** By the payment provider, or by invoices that the customer pays. */
export const COLLECTION_METHODS = ['charge_automatically', 'send_invoice'] as const
export const CHARGE_AUTOMATICALLY = 'charge_automatically'
export const SEND_INVOICE = 'send_invoice'

export const orderMoves = moves(STATUSES, {
  process: { from: ['pending', 'on-hold', 'failed'], to: 'processing' },
  hold: { from: ['pending', 'processing'], to: 'on-hold' },
  reopen: { from: ['on-hold', 'failed'], to: 'pending' },
  complete: { from: ['pending', 'processing', 'on-hold', 'failed'], to: 'completed' },
  cancel: { from: ['pending', 'processing', 'on-hold', 'failed'], to: 'cancelled' },
  fail: { from: ['pending', 'processing', 'on-hold', 'completed'], to: 'failed' },
  refund: { from: ['processing', 'completed'], to: 'refunded' },
  // Customers cannot cancel an order that is on hold or failed; staff can, by `cancel`.
  cancelAsCustomer: { from: ['pending', 'processing'], to: 'cancelled' },
  // The payment provider has ended its subscription (spec 6.2), or the shop that sold it has cancelled it. Nobody else
  // cancels a completed order.
  endWithSubscription: { from: ['pending', 'processing', 'on-hold', 'failed', 'completed'], to: 'cancelled' },
  endWithSale: { from: ['completed'], to: 'cancelled' },
})

/** The customer's own number for the purchase. */
export const PurchaseOrder = { ...Reference, examples: ['PO-2026-0042'] }
/** The code of the affiliate who referred the customer. */
export const AffiliateCode = Type.String({
  pattern: '^AFL-[0-9]{6}[0-9]{4,}$',
  maxLength: 40,
  examples: ['AFL-2026110001'],
})

export const OrderedEntitlement = Type.Object({
  id: Id,
  code: Type.String({ examples: ['PLG-2026110001'] }),
  class: Type.String({ examples: ['PLG'] }),
  status: Type.String({ examples: ['active'] }),
  product_name: Type.String(),
})

export const OrderListItem = Type.Object({
  id: Id,
  number: Type.String({ examples: ['O-42'] }),
  status: OrderStatus,
  total: Money,
  currency: Currency,
  date_created: Timestamp,
  date_modified: Timestamp,
  date_paid: Nullable(Timestamp),
  date_completed: Nullable(Timestamp),
  payment_method: Nullable(Line),
  payment_method_title: Nullable(Line),
  customer_id: Nullable(Id),
  billing_email: Nullable(Line),
  billing_name: Nullable(Line),
  organization_id: Id,
  company: Company,
  quote_id: Nullable(Id),
  items: Type.Array(LineItem),
  items_count: Type.Integer({ examples: [2] }),
  notes: Nullable(Text),
  ...integration,
})

export const BillingAddress = Type.Record(Type.String(), Nullable(Type.String()), {
  description: 'The organization’s name and address when the order was made',
})

export const Order = Type.Object(
  {
    ...OrderListItem.properties,
    subtotal: Money,
    discount_total: Money,
    tax_total: Money,
    purchase_order: Nullable(PurchaseOrder),
    affiliate_code: Nullable(AffiliateCode),
    billing_address: Nullable(BillingAddress),
    line_items: Type.Array(LineItem, { description: 'The same list as `items`' }),
    entitlements: Type.Array(OrderedEntitlement),
  },
  { description: 'What an organization bought' },
)
export type Order = Static<typeof Order>

/** What an order has of its quote, and the next version of a quote of the one before it. */
export const TERMS = [
  'company',
  'currency',
  'subtotal',
  'tax_total',
  'total',
  'line_items',
  'notes',
  'purchase_order',
  'affiliate_code',
] as const

/** What a subscription at the provider billed from `since` on. */
const Plan = Type.Object({ since: Timestamp, amount: Money, line_items: Type.Array(LineItem) })
export type Plan = Static<typeof Plan>

/** Who did something: somebody of the organization, or of the vendor. */
export const Side = Type.Enum(['customer', 'vendor'], { examples: ['customer'] })
/** The mark of a pause while what the subscription renews is suspended for what is due. */
export const ARREARS = 'arrears'
export const PausedBy = Type.Enum(['customer', 'vendor', ARREARS], { examples: ['customer'] })
export type PausedBy = Static<typeof PausedBy>

/** All columns, by their names in the database. */
export const OrderRow = Type.Object({
  id: Id,
  organization_id: Id,
  number: Type.String(),
  status: OrderStatus,
  company: Company,
  currency: Currency,
  subtotal: Money,
  discount_total: Money,
  tax_total: Money,
  total: Money,
  line_items: Type.Array(LineItem),
  quote_id: Nullable(Id),
  customer_id: Nullable(Id),
  billing_email: Nullable(Line),
  billing_name: Nullable(Line),
  billing_address: Nullable(BillingAddress),
  payment_method: Nullable(Line),
  payment_method_title: Nullable(Line),
  notes: Nullable(Text),
  purchase_order: Nullable(PurchaseOrder),
  affiliate_code: Nullable(AffiliateCode),
  date_paid: Nullable(Timestamp),
  date_completed: Nullable(Timestamp),
  subscription_status: Nullable(Line),
  subscription_reference: Nullable(Line),
  subscription_collection_method: Nullable(Type.Enum(COLLECTION_METHODS)),
  subscription_interval: Nullable(Interval),
  subscription_amount: Nullable(Money),
  subscription_url: Nullable(Text),
  /** The provider's invoice, its attempt that failed last, and what it asks for; null once it is paid. */
  subscription_failed_attempt: Nullable(Line),
  subscription_requested_at: Nullable(Timestamp),
  subscription_ends_at: Nullable(Timestamp),
  subscription_trial_ends_at: Nullable(Timestamp),
  subscription_anchor: Nullable(Timestamp),
  subscription_invoiced_until: Nullable(Timestamp),
  subscription_next_at: Nullable(Timestamp),
  subscription_line_items: Nullable(Type.Array(LineItem)),
  subscription_plans: Nullable(Type.Array(Plan)),
  subscription_cancelled_by: Nullable(Side),
  subscription_cancel_reason: Nullable(Text),
  subscription_paused_by: Nullable(PausedBy),
  ...integration,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type OrderRow = Static<typeof OrderRow>
export const ordersTable = table('orders', 'order', OrderRow, {
  moves: orderMoves,
  events: ['subscription_requested', 'subscription_changed', 'subscription_cancelled', 'subscription_charge_failed'],
  derived: ['discount_total'],
  search: ['number', 'external_id'],
  needs: { cancelled: org('orders') },
})

export const OrderStatusChange = Closed({
  organization_id: Type.Optional(Id),
  status: OrderStatus,
  note: Type.Optional(Nullable(Text)),
})
export type OrderStatusChange = Static<typeof OrderStatusChange>

export const orderListing = listing(
  { date_created: { ...TIME, column: 'created_at' }, date_modified: { ...TIME, column: 'updated_at' }, total: AMOUNT },
  'date_modified',
)
const filters = {
  ...Paging,
  ...orderListing.parameters,
  ...externalIdFilter,
  status: AnyOf(OrderStatus),
  date_from: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
}
export const OrderFilters = Closed(filters)
export type OrderFilters = Static<typeof OrderFilters>
export const AdministratorsOrderFilters = acrossFilters({
  ...filters,
  company: Type.Optional(Company),
  search: PartFilter('the number, the billing name or the organization’s name'),
})
export type AdministratorsOrderFilters = Static<typeof AdministratorsOrderFilters>
