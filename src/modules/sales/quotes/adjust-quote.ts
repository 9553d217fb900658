// POST /quotes/{id}/adjust, and what the service adjusts in the renewals that it drafts (docs/billing.md).
import { type Accumulation, accumulate, type Span } from '#modules/delivery/price-indexes/accumulate.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { zoneOf } from '#ports/ports.ts'
import { adjustedBy, lackingByIndex, type Limits, type NewAdjustment, spanOf, type Term, termOf } from './adjustment.ts'
import { quotes } from './queries.ts'
import { asOffered, offerOf, type QuoteLine } from './quote-line.ts'
import { type Quote, quoteMoves, quotesTable } from './quote.ts'

export async function adjustQuote(ctx: OrganizationContext, id: number, body: NewAdjustment): Promise<Quote> {
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.send, quote.status))
    throw conflict('status_not_allowed', `A quote that is ${quote.status} can no longer be adjusted`)
  const spans = spansFor(quote.line_items, body, await termsOf(ctx, quote))
  const accumulations = await accumulate(ctx, [...spans.values()])
  const lacking = [...spans.values()].map(({ price_index }, nth) => ({
    price_index,
    months: accumulations[nth]?.lacking ?? [],
  }))
  const problems = lackingByIndex(lacking).map(
    ({ priceIndex, months }) => `${priceIndex} has no rate of ${months.join(', ')}`,
  )
  if (problems.length > 0) throw conflict('rate_missing', problems.join('; '))
  return keep(ctx, quote, { spans, accumulations, limits: body })
}

/** Of a draft that the service has made: the lines whose index is agreed on, as far as all their months have a rate. */
export async function adjustDraft(ctx: OrganizationContext, quote: Quote): Promise<void> {
  if (!quote.line_items.some(({ price_index }) => price_index)) return
  const terms = await termsOf(ctx, quote)
  const spans = new Map<number, Span>()
  for (const [position, line] of quote.line_items.entries()) {
    const span = line.price_index && spanOf(line.price_index, terms.get(line.entitlement_code ?? ''))
    if (span) spans.set(position, span)
  }
  await keep(ctx, quote, { spans, accumulations: await accumulate(ctx, [...spans.values()]), limits: {} })
}

type AdjustmentFacts = { spans: ReadonlyMap<number, Span>; accumulations: readonly Accumulation[]; limits: Limits }

function keep(
  ctx: OrganizationContext,
  quote: Quote,
  { spans, accumulations, limits }: AdjustmentFacts,
): Promise<Quote> {
  const { id, currency } = quote
  const lines = [...quote.line_items]
  for (const [nth, [position, span]] of [...spans].entries()) {
    const [line, percent] = [lines[position], accumulations[nth]?.percent ?? null]
    if (line && percent !== null) lines[position] = adjustedBy(line, { span, percent, limits, currency })
  }
  return update(ctx, quotesTable, id, offerOf(lines.map(asOffered), currency))
}

/** By the code of the entitlement that a line extends. */
async function termsOf(ctx: OrganizationContext, { id, company }: Quote): Promise<Map<string, Term>> {
  const found = await ctx.ask(quotes.termsOfRenewed(ctx.organizationId, id))
  return new Map(found.map(({ code, ...moments }) => [code, termOf(moments, zoneOf(ctx, company))]))
}

/** By the index of the line; 422 names what is missing. */
function spansFor(lines: readonly QuoteLine[], body: NewAdjustment, terms: ReadonlyMap<string, Term>) {
  const renewed = lines.flatMap(({ is_renewal }, position) => (is_renewal ? [position] : []))
  const positions = body.line_items ?? renewed
  const problems: Fields = {}
  if (positions.length === 0) problems['line_items'] = 'is required: no line of the quote extends an entitlement'
  const spans = new Map<number, Span>()
  for (const [nth, position] of positions.entries()) {
    const line = lines[position]
    const price_index = body.price_index ?? line?.price_index
    const span = price_index ? spanOf(price_index, terms.get(line?.entitlement_code ?? ''), body) : null
    if (!line) problems[`line_items.${nth}`] = 'names no line of the quote'
    else if (!price_index) problems['price_index'] ??= `is required: line ${position} has none`
    else if (!span) problems['until_month'] ??= `is required: line ${position} extends no entitlement`
    else spans.set(position, span)
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return spans
}
