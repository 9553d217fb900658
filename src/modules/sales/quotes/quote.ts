// The quote (spec 2.11, 3.1): its lines, its states, the bodies that customers and staff send.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { AMOUNT, DATE, listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { AffiliateCode, PurchaseOrder } from '#modules/sales/orders/order.ts'
import { LineChoices, NewQuoteLine, QuoteLine } from './quote-line.ts'
import { LinkAnswer } from './links/quote-link.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  CalendarDate,
  Closed,
  Company,
  Currency,
  Email,
  Id,
  Line,
  Money,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const STATUSES = [
  'draft',
  'sent',
  'viewed',
  'accepted',
  'paid',
  'fulfilled',
  'expired',
  'rejected',
  'cancelled',
] as const
export const QuoteStatus = Type.Enum(STATUSES, { examples: ['sent'] })

export const quoteMoves = moves(STATUSES, {
  send: { from: ['draft'], to: 'sent' },
  view: { from: ['sent'], to: 'viewed' },
  accept: { from: ['sent', 'viewed'], to: 'accepted' },
  reject: { from: ['sent', 'viewed'], to: 'rejected' },
  expire: { from: ['sent', 'viewed'], to: 'expired' },
  pay: { from: ['accepted'], to: 'paid' },
  fulfill: { from: ['paid'], to: 'fulfilled' },
  cancel: { from: ['draft', 'sent', 'viewed', 'accepted', 'paid'], to: 'cancelled' },
  // The next version was sent.
  supersede: { from: ['sent', 'viewed'], to: 'cancelled', event: 'superseded' },
})

/** The statuses of which staff can make a next version. */
export const REVISABLE: readonly string[] = ['sent', 'viewed', 'expired', 'rejected']

export const QuoteListItem = Type.Object({
  id: Id,
  number: Type.String({ examples: ['Q-42'], description: 'The second version of `Q-42` is `Q-42-v2`' }),
  version: Type.Integer({ minimum: 1, examples: [1] }),
  status: QuoteStatus,
  total: Money,
  currency: Currency,
  valid_until: CalendarDate,
  organization_id: Id,
  order_id: Nullable(Id),
  entitlement_ids: Type.Array(Id),
  supersedes_id: Nullable({ ...Id, description: 'The previous version' }),
  superseded_by_id: Nullable({ ...Id, description: 'The version that replaced this one when it was sent' }),
  line_items: Type.Array(QuoteLine),
  created_by: Nullable({ ...Id, description: 'The person who drafted it; null: a key, or a person who was erased' }),
  ...integration,
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const Quote = Type.Object(
  {
    ...QuoteListItem.properties,
    subtotal: Money,
    discount_total: Money,
    tax_total: Money,
    company: Company,
    notes: Nullable(Text),
    purchase_order: Nullable(PurchaseOrder),
    affiliate_code: Nullable(AffiliateCode),
    rejection_reason: Nullable(Text),
    sent_at: Nullable(Timestamp),
    viewed_at: Nullable(Timestamp),
    accepted_at: Nullable(Timestamp),
    offered_line_items: Nullable(
      Type.Array(QuoteLine, { description: 'The lines as they were offered, where the customer chose otherwise' }),
    ),
    answered_by: Nullable(LinkAnswer),
    recipients: Type.Array(Email, {
      description:
        'Addresses that staff named for its mails, besides the members with the scope and whoever is invited',
      examples: [['ana@acme.example']],
    }),
  },
  { description: 'An offer to an organization' },
)
export type Quote = Static<typeof Quote>

const lines = Type.Array(NewQuoteLine, { minItems: 1, maxItems: 200 })

export const NewQuote = Closed({
  organization_id: Type.Optional(Id),
  currency: Currency,
  company: Type.Optional(Company),
  valid_until: CalendarDate,
  line_items: lines,
  notes: Type.Optional(Nullable(Text)),
  purchase_order: Type.Optional(Nullable(PurchaseOrder)),
  affiliate_code: Type.Optional(Nullable(AffiliateCode)),
  ...givenIntegration,
})
export type NewQuote = Static<typeof NewQuote>

export const QuoteChange = Closed({
  organization_id: Type.Optional(Id),
  currency: Type.Optional(Currency),
  company: Type.Optional(Company),
  valid_until: Type.Optional(CalendarDate),
  line_items: Type.Optional(lines),
  notes: Type.Optional(Nullable(Text)),
  purchase_order: Type.Optional(Nullable(PurchaseOrder)),
  affiliate_code: Type.Optional(Nullable(AffiliateCode)),
  ...givenIntegration,
})
export type QuoteChange = Static<typeof QuoteChange>

/** What the customer chooses, for a preview. */
export const QuoteChoice = Closed({ line_items: LineChoices })

export const QuoteAcceptance = Closed({
  line_items: LineChoices,
  purchase_order: Type.Optional(
    Nullable({ ...PurchaseOrder, description: 'The customer’s purchase order; by default that of the quote' }),
  ),
})
export type QuoteAcceptance = Static<typeof QuoteAcceptance>

export const QuoteSending = Closed({
  organization_id: Type.Optional(Id),
  recipients: Type.Optional(
    Type.Array(Email, {
      maxItems: 10,
      uniqueItems: true,
      description: 'Added to those that it has; 20 at most in all',
    }),
  ),
})
export type QuoteSending = Static<typeof QuoteSending>

export const ValidUntilChange = Closed({
  organization_id: Type.Optional(Id),
  valid_until: { ...CalendarDate, description: 'Today or later, by the calendar of the legal entity' },
})
export type ValidUntilChange = Static<typeof ValidUntilChange>

export const QuoteRejection = Closed({ reason: Type.Optional(Nullable(Text)) })

export const QuoteAccepted = Type.Object({ quote_id: Id, status: QuoteStatus, order_id: Id })

export const QuotePayment = Type.Object({
  quote_id: Id,
  order_id: Id,
  invoice_id: Nullable(Id),
  status: Type.Enum(['unpaid', 'processing', 'paid', 'failed', 'refunded'], { examples: ['unpaid'] }),
  amount: Money,
  currency: Currency,
  payment_method: Nullable(Line),
  paid_at: Nullable(Timestamp),
  checkout_url: Nullable(
    Type.String({ format: 'uri', description: 'Where to pay; null until the provider has answered' }),
  ),
})
export type QuotePayment = Static<typeof QuotePayment>

export const quoteListing = listing(
  { created_at: TIME, updated_at: TIME, valid_until: DATE, total: AMOUNT },
  'updated_at',
)
const filters = {
  ...Paging,
  ...quoteListing.parameters,
  ...externalIdFilter,
  status: AnyOf(QuoteStatus),
}
export const QuoteFilters = Closed(filters)
export type QuoteFilters = Static<typeof QuoteFilters>
export const AdministratorsQuoteFilters = acrossFilters({
  ...filters,
  company: Type.Optional(Company),
  created_by: Type.Optional(Id),
})
export type AdministratorsQuoteFilters = Static<typeof AdministratorsQuoteFilters>

const Row = Type.Object({
  ...Quote.properties,
  first_id: Nullable(Id),
  warned_days: Nullable(Type.Integer()),
})
export const quotesTable = table('quotes', 'quote', Row, {
  moves: quoteMoves,
  events: ['expiring'],
  derived: ['number', 'discount_total'],
  search: ['number', 'external_id'],
})
