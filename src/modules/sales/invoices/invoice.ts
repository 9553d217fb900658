// The invoice (spec 2.9, 3.4): its total both as a decimal string and in cents.
import { Type, type Static } from 'typebox'
import { LineItem, NewLineItem } from '#modules/delivery/products/line-item.ts'
import { PurchaseOrder } from '#modules/sales/orders/order.ts'
import { InvoiceWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { org, staffNeed } from '#kernel/values/permissions.ts'
import { moves } from '#kernel/data/moves.ts'
import { givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  CalendarDate,
  Closed,
  Company,
  Currency,
  HttpUrl,
  Id,
  Line,
  Money,
  Nullable,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { PaymentCodes } from '#ports/payment-codes.ts'
import { DISPUTE_STATUSES } from '#ports/payments.ts'

export const STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export const InvoiceStatus = Type.Enum(STATUSES, { examples: ['open'] })

export const invoiceMoves = moves(STATUSES, {
  finalize: { from: ['draft'], to: 'open', event: 'finalized' },
  pay: { from: ['open', 'uncollectible'], to: 'paid' },
  void: { from: ['draft', 'open', 'uncollectible'], to: 'void', event: 'voided' },
  markUncollectible: { from: ['open'], to: 'uncollectible' },
  reopen: { from: ['paid'], to: 'open', event: 'reopened' },
})

/** `origin` of the invoice of an accepted quote. */
export const OF_ORDER = 'order'
/** `origin` of the invoice of a subscription's charge. */
export const OF_SUBSCRIPTION = 'subscription'

/** `origin` of the invoice of fine and interest. */
export const OF_LATE_CHARGES = 'late_charges'

export const PAYMENT_STATUSES = ['unpaid', 'processing', 'paid', 'failed', 'refunded'] as const

/** The recipient's data as of the moment when the invoice was finalized. */
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
    withheld: Type.Array(InvoiceWithheldTax, {
      description: 'Taxes that the customer keeps back and pays to the treasury, as of the finalization',
    }),
    withheld_total: { ...Money, description: 'The sum of `withheld`', examples: ['0.00'] },
    net_total: { ...Money, description: 'The total less `withheld_total`: what the customer pays' },
    amount_due: {
      ...Money,
      description:
        'The net total less credit notes and payments that were not refunded, credit notes without the part of ' +
        'them that was kept back; 0 once the invoice is paid or void',
    },
    amount_paid: Money,
    amount_refunded: Money,
    amount_credited: Money,
    currency: Currency,
    company: Company,
    issue_date: CalendarDate,
    due_date: CalendarDate,
    due_date_changed_at: Nullable({ ...Timestamp, description: 'When staff last changed the due date of it' }),
    reopened_at: Nullable({ ...Timestamp, description: 'When a payment was moved away from the paid invoice' }),
    is_overdue: Type.Boolean({ description: 'Open past its due date, by the calendar of the legal entity' }),
    overdue_since: Nullable({ ...CalendarDate, description: 'The first day on which it was overdue; null: it is not' }),
    reminded_at: Nullable({ ...Timestamp, description: 'When the customer was last reminded of it' }),
    payment_method: Nullable(Line),
    payment_date: Nullable(CalendarDate),
    paid_at: Nullable(Timestamp),
    voided_on: { ...Nullable(CalendarDate), description: 'In the time zone of the legal entity' },
    payment_status: Type.Enum(PAYMENT_STATUSES, { examples: ['unpaid'] }),
    dispute_status: Nullable(
      Type.Enum(DISPUTE_STATUSES, { description: 'Of its payments: open, else lost, else won' }),
    ),
    payment_invoice_id: Nullable(Line),
    link: Nullable(Uri),
    tax_link: Nullable(Uri),
    notes: Nullable(Text),
    purchase_order: Nullable(PurchaseOrder),
    order_id: Nullable(Id),
    period_start: Nullable({ ...Timestamp, description: 'Of a subscription’s invoice: the time that it pays for' }),
    period_end: Nullable({ ...Timestamp, description: 'The end of this time, which is no part of it' }),
    organization_id: Id,
    user_id: Nullable(Id),
    origin: Nullable(Line),
    late_charges_of: Nullable({ ...Id, description: 'The invoice whose fine and interest it bills' }),
    line_items: Type.Array(LineItem),
    billing: Nullable(Billing),
    credit_note_ids: Type.Array(Id),
    ...integration,
    finalized_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'What an organization owes or has paid' },
)
export type Invoice = Static<typeof Invoice>

const {
  invoice_id: _invoiceId,
  total_cents: _totalCents,
  credit_note_ids: _notes,
  is_overdue: _isOverdue,
  overdue_since: _overdueSince,
  ...columns
} = Invoice.properties
/** What does not change with the time alone. */
export type StoredInvoice = Omit<Invoice, 'is_overdue' | 'overdue_since'>

/** Internal columns, which no response contains. */
export const INNER = {
  series: Nullable(Line),
  /** Of the open checkout. */
  payment_codes: Nullable(PaymentCodes),
  /** When the first of them ends; null once others were asked for. */
  payment_codes_until: Nullable(Timestamp),
  refund_reserved: Money,
  /** What credit notes have taken back of the withheld taxes. */
  withheld_credited: Money,
  /** The due date that was announced as overdue, and that of the last reminder with the days of its step. */
  overdue_noted: Nullable(CalendarDate),
  reminded_for: Nullable(CalendarDate),
  reminded_days: Nullable(Type.Integer()),
  /** The due date for which the end of the arrears was announced, and the day of that end. */
  ending_for: Nullable(CalendarDate),
  ending_on: Nullable(CalendarDate),
}
/** The row with all stored columns. */
export const InvoiceRow = Type.Object({ ...columns, ...INNER })
export type InvoiceRow = Static<typeof InvoiceRow>
export const invoicesTable = table('invoices', 'invoice', InvoiceRow, {
  moves: invoiceMoves,
  events: [
    'redrafted',
    'due_date_changed',
    'payment_failed',
    'overdue',
    'reminded',
    'ending',
    'partly_paid',
    'credited',
    'refunded',
    'partly_refunded',
    'disputed',
  ],
  search: ['number', 'external_id'],
  derived: ['subtotal', 'net_total', 'amount_due'],
  // Customers do so by cancelling an order that is not paid, which asks for one scope.
  needs: { voided: staffNeed(org('orders'), 'finances'), uncollectible: org('finances'), reopened: org('finances') },
})

export const InvoicePayment = Closed({
  organization_id: Type.Optional(Id),
  amount: Type.Optional({ ...Money, description: 'By default what is due; what is more goes to the credit balance' }),
  payment_method: Type.Optional(Line),
  paid_at: Type.Optional(Timestamp),
  ...givenIntegration,
})

const { description, quantity, term_months, discount, discount_percent, tax_percent } = NewLineItem.properties
const { product_name, unit_price } = LineItem.properties

/** A line that staff enter; it may name the entitlement that it bills. */
export const NewInvoiceLine = Closed({
  product_name,
  description,
  quantity,
  unit_price,
  term_months,
  discount,
  discount_percent,
  tax_percent,
  entitlement_code: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        examples: ['PLG-2026110001'],
        description: 'Code of an entitlement of the organization',
      }),
    ),
  ),
})
export type NewInvoiceLine = Static<typeof NewInvoiceLine>

const MOST_CENTS = 999_999_999_999_999

const Drafted = {
  organization_id: Type.Optional(Id),
  currency: Type.Optional(Currency),
  total: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: MOST_CENTS }), Money], {
      description:
        'An integer is in the currency’s minor unit, a string is the decimal amount. With lines it must be their sum',
    }),
  ),
  total_cents: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST_CENTS, description: 'The same amount as an integer `total`' }),
  ),
  issue_date: Type.Optional({ ...CalendarDate, description: 'Becomes the day of finalization, unless it is later' }),
  due_date: Type.Optional({ ...CalendarDate, description: 'By default a week after `issue_date`' }),
  payment_method: Type.Optional(Nullable(Line)),
  link: Type.Optional(
    Nullable({ ...HttpUrl, description: 'Where it is paid, instead of a checkout at the payment provider' }),
  ),
  notes: Type.Optional(Nullable(Text)),
  purchase_order: Type.Optional(Nullable(PurchaseOrder)),
  line_items: Type.Optional(Type.Array(NewInvoiceLine, { minItems: 1, maxItems: 100 })),
  ...givenIntegration,
}

export const NewInvoice = Closed({
  ...Drafted,
  currency: Currency,
  company: Type.Optional(Company),
  order_id: Type.Optional(Nullable(Id)),
  status: Type.Optional(Type.Enum(['draft', 'open'], { description: '`draft` by default' })),
  origin: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255, examples: ['import'] }))),
  number: Type.Optional({
    ...Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$' }),
    description: 'The number of an invoice that was issued elsewhere; it is kept, and `origin` becomes `import`',
  }),
})
export type NewInvoice = Static<typeof NewInvoice>

export const InvoiceChange = Closed(Drafted)
export type InvoiceChange = Static<typeof InvoiceChange>
