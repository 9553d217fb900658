// The invoice (spec 2.9, 3.4): its amount as decimal string and in cents, side by side.
import { Type, type Static } from 'typebox'
import { LineItem } from '#areas/orders/line-item.ts'
import { PurchaseOrder } from '#areas/orders/order.ts'
import { moves } from '#kernel/moves.ts'
import {
  CalendarDate,
  Closed,
  Company,
  Currency,
  Id,
  Line,
  Money,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/schema.ts'
import { table } from '#kernel/table.ts'

export const STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export const InvoiceStatus = Type.Enum(STATUSES, { examples: ['open'] })

export const invoiceMoves = moves(STATUSES, {
  finalize: { from: ['draft'], to: 'open', event: 'finalized' },
  pay: { from: ['open', 'uncollectible'], to: 'paid' },
  void: { from: ['draft', 'open', 'uncollectible'], to: 'void', event: 'voided' },
  markUncollectible: { from: ['open'], to: 'uncollectible' },
})

export const PAYMENT_STATUSES = ['unpaid', 'processing', 'paid', 'failed', 'refunded'] as const

const Uri = Type.String({ format: 'uri' })

export const Invoice = Type.Object(
  {
    id: Id,
    invoice_id: Nullable(Type.String({ description: 'The payment provider’s id, as `payment_invoice_id`' })),
    number: Type.String({ examples: ['BR-000042'] }),
    status: InvoiceStatus,
    total: Money,
    total_cents: Type.Integer({ description: 'The total in the currency’s minor unit', examples: [15000] }),
    currency: Currency,
    company: Company,
    issue_date: CalendarDate,
    due_date: CalendarDate,
    payment_method: Nullable(Line),
    payment_date: Nullable(CalendarDate),
    paid_at: Nullable(Timestamp),
    payment_status: Type.Enum(PAYMENT_STATUSES, { examples: ['unpaid'] }),
    payment_invoice_id: Nullable(Line),
    link: Nullable(Uri),
    tax_link: Nullable(Uri),
    notes: Nullable(Text),
    purchase_order: Nullable(PurchaseOrder),
    order_id: Nullable(Id),
    organization_id: Id,
    user_id: Nullable(Id),
    origin: Nullable(Line),
    line_items: Type.Array(LineItem),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'What an organization owes or has paid' },
)
export type Invoice = Static<typeof Invoice>

const { invoice_id: _invoiceId, total_cents: _totalCents, ...columns } = Invoice.properties
/** Columns as the database has them. */
export const InvoiceRow = Type.Object({ ...columns, series: Nullable(Line) })
export type InvoiceRow = Static<typeof InvoiceRow>
export const invoicesTable = table('invoices', 'invoice', InvoiceRow, { search: ['number'] })

export const InvoicePayment = Closed({
  organization_id: Type.Optional(Id),
  payment_method: Type.Optional(Line),
  paid_at: Type.Optional(Timestamp),
})

export const InvoiceFilters = Closed({
  ...Paging,
  status: Type.Optional(InvoiceStatus),
  date_from: Type.Optional(CalendarDate),
  date_to: Type.Optional(CalendarDate),
})
export type InvoiceFilters = Static<typeof InvoiceFilters>
