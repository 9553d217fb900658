// A request for a quote: what a customer chooses from the catalogue, of which staff make a draft, or which they
// decline.
import { acrossFilters, acrossItem } from '#kernel/data/lists/across.ts'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { NewLineItem } from '#modules/delivery/products/line-item.ts'
import { moves } from '#kernel/data/moves.ts'
import { table } from '#kernel/data/table.ts'
import {
  AnyOf,
  CalendarDate,
  Closed,
  Company,
  Currency,
  Id,
  Name,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { NewQuoteLine } from '../quote-line.ts'

export const REQUEST_STATUSES = ['open', 'drafted', 'declined', 'withdrawn'] as const
const Status = Type.Enum(REQUEST_STATUSES, { examples: ['open'] })

export const quoteRequestMoves = moves(REQUEST_STATUSES, {
  draft: { from: ['open'], to: 'drafted' },
  decline: { from: ['open', 'drafted'], to: 'declined' },
  withdraw: { from: ['open'], to: 'withdrawn' },
})

const RequestedLine = Type.Object({
  product_id: Id,
  product_name: { ...Name, description: 'As it was when it was requested' },
  quantity: NewLineItem.properties.quantity,
})

export const QuoteRequest = Type.Object(
  {
    id: Id,
    organization_id: Id,
    status: Status,
    company: Company,
    currency: Currency,
    line_items: Type.Array(RequestedLine),
    notes: Nullable(Text),
    requested_by: Nullable(Id),
    requested_by_name: Type.String({ examples: ['Ana Souza'] }),
    quote_id: Nullable({ ...Id, description: 'The quote that staff make of it; the customer sees it when it is sent' }),
    decline_reason: Nullable(Text),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'What a customer asks to be quoted' },
)
export type QuoteRequest = Static<typeof QuoteRequest>

export const quoteRequestsTable = table('quote_requests', 'quote_request', QuoteRequest, { moves: quoteRequestMoves })

export const NewQuoteRequest = Closed({
  organization_id: Type.Optional(Id),
  currency: Currency,
  company: Type.Optional(Company),
  line_items: Type.Array(Closed({ product_id: Id, quantity: NewLineItem.properties.quantity }), {
    minItems: 1,
    maxItems: 50,
  }),
  notes: Type.Optional(Nullable({ ...Text, maxLength: 2000 })),
})
export type NewQuoteRequest = Static<typeof NewQuoteRequest>

export const RequestDraft = Closed({
  organization_id: Type.Optional(Id),
  valid_until: CalendarDate,
  line_items: Type.Optional(
    Type.Array(NewQuoteLine, {
      minItems: 1,
      maxItems: 200,
      description: 'Instead of those of the request at the prices of the catalogue',
    }),
  ),
})
export type RequestDraft = Static<typeof RequestDraft>

export const RequestRefusal = Closed({
  organization_id: Type.Optional(Id),
  reason: { ...Text, minLength: 1, maxLength: 500, pattern: '\\S', description: 'The customer sees it' },
})
export type RequestRefusal = Static<typeof RequestRefusal>

export const QuoteRequestFilters = Closed({ ...Paging, status: AnyOf(Status) })
export type QuoteRequestFilters = Static<typeof QuoteRequestFilters>

export const AdministratorsQuoteRequest = acrossItem(QuoteRequest)
export const quoteRequestListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const AdministratorsQuoteRequestFilters = acrossFilters({
  ...QuoteRequestFilters.properties,
  ...quoteRequestListing.parameters,
})
export type AdministratorsQuoteRequestFilters = Static<typeof AdministratorsQuoteRequestFilters>
