// The refund (docs/interface/sales.md, Refunds): decided here, confirmed by the payment provider.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { AMOUNT, listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { TaxCorrection } from '#modules/sales/tax-invoices/corrections.ts'
import { org } from '#kernel/values/permissions.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  CalendarDate,
  Closed,
  Currency,
  Id,
  Line,
  Money,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const STATUSES = ['processing', 'succeeded', 'failed', 'rejected'] as const
export const RefundStatus = Type.Enum(STATUSES, { examples: ['processing'] })

export const refundMoves = moves(STATUSES, {
  succeed: { from: ['processing', 'failed'], to: 'succeeded' },
  fail: { from: ['processing'], to: 'failed' },
  reject: { from: ['processing'], to: 'rejected' },
})

const TaxInvoiceAction = Type.Enum(['cancel', 'keep'], {
  description:
    'What becomes of the issued tax invoices once all of the invoice is refunded: `cancel` asks the ' +
    'authority, `keep` leaves them. Only staff say so; until then it is null',
  examples: ['cancel'],
})

export const Refund = Type.Object(
  {
    id: Id,
    organization_id: Id,
    order_id: Nullable(Id),
    invoice_id: { ...Nullable(Id), description: 'Null: of a credit balance' },
    payment_id: { ...Nullable(Id), description: 'Whose money goes back; null: that of a credit balance, by hand' },
    credit_balance_id: Nullable(Id),
    status: RefundStatus,
    is_approved: Type.Boolean({ description: 'Whether it may be sent to the payment provider' }),
    amount: Money,
    currency: Currency,
    reason: Nullable(Text),
    failure_reason: Nullable(Text),
    rejection_reason: Nullable(Text),
    provider_reference: Nullable(Line),
    dispute_id: Nullable({ ...Id, description: 'The lost dispute by which the bank took the payment back' }),
    refunded_on: { ...Nullable(CalendarDate), description: 'In the time zone of the legal entity' },
    requested_by: Nullable(Id),
    tax_invoice_action: Nullable(TaxInvoiceAction),
    settled_at: Nullable({ ...Timestamp, description: 'When it succeeded, failed or was rejected' }),
    ...integration,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A refund of a payment, or of a credit balance' },
)
export type Refund = Static<typeof Refund>
export const refundsTable = table('refunds', 'refund', Refund, {
  moves: refundMoves,
  events: ['approved'],
  search: ['provider_reference', 'external_id'],
  needs: { created: org('orders', 'finances') },
})

export const NewRefund = Closed({
  organization_id: Type.Optional(Id),
  reason: Type.Optional(Nullable(Text)),
  amount: Type.Optional({ ...Money, description: 'By default all that has not been refunded yet' }),
  tax_invoice_action: Type.Optional(TaxInvoiceAction),
  ...givenIntegration,
})
export type NewRefund = Static<typeof NewRefund>

const { tax_invoice_action: _ofInvoices, ...ofBalances } = NewRefund.properties
export const NewBalanceRefund = Closed({
  ...ofBalances,
  payment_id: Type.Optional({
    ...Id,
    description: 'An overpaid payment, through which the provider then refunds; by default staff refund by hand',
  }),
})
export type NewBalanceRefund = Static<typeof NewBalanceRefund>

export const RefundStarted = Type.Object({
  refund_id: Id,
  refund_ids: Type.Array(Id, {
    description: 'All that were started: a refund is of one payment, so that what was paid in parts has several',
  }),
  amount: { ...Money, description: 'Of all of them' },
  status: RefundStatus,
  tax_invoices: Type.Array(TaxCorrection, { description: 'The issued tax invoices of the refunded invoice' }),
})
export type RefundStarted = Static<typeof RefundStarted>

/** What a refund takes from an invoice, in whole or in part. */
export type RefundOfInvoice = Refund & { invoice_id: number }
export const isOfInvoice = (refund: Refund): refund is RefundOfInvoice => refund.invoice_id !== null

export const RefundApproval = Closed({
  organization_id: Type.Optional(Id),
  tax_invoice_action: Type.Optional(TaxInvoiceAction),
})
export type RefundApproval = Static<typeof RefundApproval>

export const RefundChange = Closed({
  organization_id: Type.Optional(Id),
  tax_invoice_action: Type.Optional(TaxInvoiceAction),
  ...givenIntegration,
})
export type RefundChange = Static<typeof RefundChange>

export const RefundSettlement = Closed({
  organization_id: Type.Optional(Id),
  status: Type.Optional(
    Type.Enum(['succeeded', 'failed'], { description: '`succeeded` by default', examples: ['succeeded'] }),
  ),
  reason: Type.Optional(Nullable({ ...Text, description: 'Why it failed' })),
})
export type RefundSettlement = Static<typeof RefundSettlement>

export const RefundRejection = Closed({
  organization_id: Type.Optional(Id),
  reason: Type.Optional(Nullable(Text)),
})
export type RefundRejection = Static<typeof RefundRejection>

export const refundListing = listing({ created_at: TIME, updated_at: TIME, amount: AMOUNT }, 'updated_at')
export const RefundFilters = Closed({
  ...Paging,
  ...refundListing.parameters,
  ...externalIdFilter,
  status: AnyOf(RefundStatus),
  order_id: Type.Optional(Id),
})
export type RefundFilters = Static<typeof RefundFilters>
export const AdministratorsRefundFilters = acrossFilters(RefundFilters.properties)
export type AdministratorsRefundFilters = Static<typeof AdministratorsRefundFilters>
