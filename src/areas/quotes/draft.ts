// POST /quotes, PUT /quotes/{id}, POST /quotes/{id}/send: what staff do to a quote before the customer sees it.
import { insert, move, update } from '#kernel/changes.ts'
import { dayIn } from '#kernel/calendar.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { conflict, invalid } from '#kernel/errors.ts'
import { allows } from '#kernel/moves.ts'
import { ownBody } from '#kernel/organization-body.ts'
import type { Company } from '#kernel/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { amountsOf } from './amounts.ts'
import { quotes } from './queries.ts'
import { type NewQuote, type Quote, type QuoteChange, quoteMoves, quotesTable } from './quote.ts'

export async function createQuote(ctx: OrganizationContext, body: NewQuote): Promise<Quote> {
  const { line_items, currency, company: named, ...rest } = ownBody(ctx, body)
  const company = named ?? (await companyFor(ctx))
  refusePast(ctx, rest.valid_until, zoneOf(ctx, company))
  return insert(ctx, quotesTable, {
    ...rest,
    company,
    currency,
    ...amountsOf(line_items, currency),
    created_by: ctx.caller.userId,
  })
}

export async function changeQuote(ctx: OrganizationContext, id: number, body: QuoteChange): Promise<Quote> {
  const { line_items, ...rest } = ownBody(ctx, body)
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.send, quote.status)) throw conflict(`A quote that is ${quote.status} can no longer be edited`)
  const currency = rest.currency ?? quote.currency
  if (rest.valid_until !== undefined) refusePast(ctx, rest.valid_until, zoneOf(ctx, rest.company ?? quote.company))
  const amounts = line_items || rest.currency ? amountsOf(line_items ?? quote.line_items, currency) : {}
  return update(ctx, quotesTable, id, { ...rest, ...amounts })
}

export async function sendQuote(ctx: OrganizationContext, id: number): Promise<Quote> {
  const quote = await move(ctx, quotesTable, id, quoteMoves.send, { sent_at: ctx.now.toISOString() })
  if (quote.valid_until < dayIn(ctx.now, zoneOf(ctx, quote.company)))
    throw conflict('valid_until has passed; edit the quote first')
  return quote
}

/** The header's choice, else Brazil's entity for organizations there. */
async function companyFor(ctx: OrganizationContext): Promise<Company> {
  if (ctx.company) return ctx.company
  const { country } = await quotes.billing(ctx)
  return country === null || /^(br|bra|brazil|brasil)$/i.test(country) ? 'entity_br' : 'entity_global'
}

function refusePast(ctx: OrganizationContext, day: string, timeZone: string): void {
  if (day < dayIn(ctx.now, timeZone)) throw invalid({ valid_until: 'must not lie in the past' })
}
