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

/** `origin` of the invoice that an accepted quote brings. */
export const OF_ORDER = 'order'

export const PAYMENT_STATUSES = ['unpaid', 'processing', 'paid', 'failed', 'refunded'] as const

/** Who is billed, as it was when the invoice was finalized. */
export const Billing = Type.Record(Type.String(), Nullable(Type.String()), {
  description: 'The organization’s name and address when the invoice was finalized; null on a draft',
})
export type Billing = Static<typeof Billing>

const Uri = Type.String({ format: 'uri' })

export const Invoice = Type.Object(
  {
    id: Id,
    invoice_id: Nullable(Type.String({ description: 'The payment provider’s id, as `payment_invoice_id`' })),
    number: Type.String({ examples: ['BR-000042'] }),
    status: InvoiceStatus,
    subtotal: Money,
    discount_total: Money,
    tax_total: Money,
    total: Money,
    total_cents: Type.Integer({ description: 'The total in the currency’s minor unit', examples: [15000] }),
    amount_due: { ...Money, description: 'The total less credit notes; nothing once it is paid or void' },
    amount_paid: Money,
    amount_refunded: Money,
    amount_credited: Money,
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
    billing: Nullable(Billing),
    credit_note_ids: Type.Array(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'What an organization owes or has paid' },
)
export type Invoice = Static<typeof Invoice>

const { invoice_id: _invoiceId, total_cents: _totalCents, credit_note_ids: _notes, ...columns } = Invoice.properties
/** What the service alone knows of an invoice. */
export const INNER = { series: Nullable(Line), refund_reserved: Money, is_paid_by_provider: Type.Boolean() }
/** Columns as the database has them. */
export const InvoiceRow = Type.Object({ ...columns, ...INNER })
export type InvoiceRow = Static<typeof InvoiceRow>
export const invoicesTable = table('invoices', 'invoice', InvoiceRow, {
  search: ['number'],
  derived: ['subtotal', 'amount_due'],
})

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
