// POST /quotes/requests, and what becomes of a request: a draft at the prices of the catalogue, or a refusal with its
// reason.
import { offersOf } from '#modules/delivery/products/offers.ts'
import { insert, move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { companyFor, createQuote } from '../draft-quote.ts'
import { quotes } from '../queries.ts'
import {
  type NewQuoteRequest,
  type QuoteRequest,
  quoteRequestMoves,
  quoteRequestsTable,
  type RequestDraft,
  type RequestRefusal,
} from './quote-request.ts'
import { quoteRequests } from './request-queries.ts'
import type { Quote } from '../quote.ts'

/** Of one organization at a time. */
const MOST_OPEN = 20

export async function requestQuote(ctx: OrganizationContext, body: NewQuoteRequest): Promise<QuoteRequest> {
  const { line_items: wanted, currency, company: named, notes = null } = ownBody(ctx, body)
  const company = named ?? (await companyFor(ctx))
  const open = await ctx.ask(quoteRequests.open(ctx.organizationId))
  if (open.length >= MOST_OPEN)
    throw conflict('limit_reached', `The organization has ${MOST_OPEN} open requests, the maximum`)
  const ids = wanted.map(({ product_id }) => product_id)
  const offers = await offersOf(ctx, ids, { company, currency })
  const problems: Record<string, string> = {}
  const line_items = wanted.flatMap((line, index) => {
    const offer = offers.get(line.product_id)
    if (offer?.active) return [{ ...line, product_name: offer.name }]
    problems[`line_items.${index}.product_id`] = 'names no product that is sold'
    return []
  })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const { userId: requested_by, name: requested_by_name } = ctx.caller
  const request = { status: 'open' as const, company, currency, line_items, notes, requested_by, requested_by_name }
  return insert(ctx, quoteRequestsTable, request)
}

/** The notes of the request stay there: those of a quote are printed on it. */
export async function draftRequested(ctx: OrganizationContext, id: number, body: RequestDraft): Promise<Quote> {
  const { line_items, valid_until } = ownBody(ctx, body)
  const request = await quoteRequests.forChange(ctx, id)
  if (!allows(quoteRequestMoves.draft, request.status))
    throw conflict('status_not_allowed', `A request that is ${request.status} cannot be drafted`)
  const { company, currency } = request
  const lines = line_items ?? request.line_items.map(({ product_id, quantity }) => ({ product_id, quantity }))
  const quote = await createQuote(ctx, { company, currency, valid_until, line_items: lines })
  await move(ctx, quoteRequestsTable, id, quoteRequestMoves.draft, { quote_id: quote.id })
  return quote
}

/** Also when the quote that was made of it has been cancelled. */
export async function declineRequest(
  ctx: OrganizationContext,
  id: number,
  body: RequestRefusal,
): Promise<QuoteRequest> {
  const { reason: decline_reason } = ownBody(ctx, body)
  const { quote_id } = await quoteRequests.forChange(ctx, id)
  const quote = quote_id === null ? null : await quotes.forChange(ctx, quote_id)
  if (quote && quote.status !== 'cancelled')
    throw conflict('quote_still_open', `Its quote ${quote.number} is ${quote.status}: cancel it first`)
  return move(ctx, quoteRequestsTable, id, quoteRequestMoves.decline, { decline_reason })
}
