// POST /quotes, PUT /quotes/{id}: staff create and edit a draft.
import { together } from '#kernel/values/validation/problems.ts'
import type { Rules } from '#http/route.ts'
import { usualCompany } from '#kernel/values/company.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { dayIn, LAST_ZONE } from '#kernel/values/time/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { isIntegrationOnly } from '#kernel/values/integration.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { lineProblems, priced, type Sale } from './catalogue-lines.ts'
import { asOffered, assertOfferPayable, type OfferedLine, offerOf } from './quote-line.ts'
import { quotes } from './queries.ts'
import { type NewQuote, type Quote, type QuoteChange, quoteMoves, quotesTable } from './quote.ts'

export async function createQuote(ctx: OrganizationContext, body: NewQuote): Promise<Quote> {
  const { line_items, currency, company: named, ...rest } = ownBody(ctx, body)
  const company = named ?? (await companyFor(ctx))
  const [lines] = await together(
    () => priced(ctx, line_items, { company, currency }),
    async () => assertNotPast(ctx, rest.valid_until, zoneOf(ctx, company)),
  )
  const offer = offerOf(lines, currency)
  assertOfferPayable(ctx, { company, currency }, lines)
  return insert(ctx, quotesTable, {
    ...rest,
    company,
    currency,
    ...offer,
    created_by: ctx.caller.userId,
  })
}

export async function changeQuote(ctx: OrganizationContext, id: number, body: QuoteChange): Promise<Quote> {
  const { line_items, ...rest } = ownBody(ctx, body)
  const quote = await quotes.forChange(ctx, id)
  if (isIntegrationOnly(rest) && line_items === undefined) return update(ctx, quotesTable, id, rest)
  if (!allows(quoteMoves.send, quote.status))
    throw conflict('status_not_allowed', `A quote that is ${quote.status} can no longer be edited`)
  const { currency = quote.currency, company = quote.company } = rest
  if (rest.valid_until !== undefined) assertNotPast(ctx, rest.valid_until, zoneOf(ctx, company))
  const sale = { currency, company }
  const lines = line_items ? await priced(ctx, line_items, sale) : kept(quote, sale)
  const offer = lines && offerOf(lines, currency)
  if (lines) assertOfferPayable(ctx, sale, lines)
  return update(ctx, quotesTable, id, { ...rest, ...offer })
}

/**
 * The lines, when only the currency changes: prices entered by hand keep their digits. Prices of the catalogue are
 * valid for one company and currency, and entitlements are of one company, so such lines have to be given again.
 */
function kept({ line_items, ...quote }: Quote, sale: Sale): OfferedLine[] | null {
  const isOther = sale.currency !== quote.currency || sale.company !== quote.company
  if (isOther && line_items.some((line) => line.product_id !== null || line.is_renewal))
    throw invalid({ line_items: 'must be given again: prices of the catalogue are those of a company and a currency' })
  if (sale.currency === quote.currency) return null
  return line_items.map(asOffered).map(({ adjustment: _of, ...line }) => line)
}

/** The legal entity of the header, else the Brazilian one for organizations in Brazil or without a country. */
export async function companyFor(ctx: OrganizationContext): Promise<Company> {
  if (ctx.company) return ctx.company
  return usualCompany((await quotes.billing(ctx)).country)
}

export const quoteRules: Rules<QuoteChange> = ({ line_items = [], currency, valid_until: day }, { now }) => ({
  ...lineProblems(line_items, currency),
  ...(day !== undefined && day < dayIn(now, LAST_ZONE) && { valid_until: IS_PAST }),
})

const IS_PAST = 'must not lie in the past'

function assertNotPast(ctx: OrganizationContext, day: string, timeZone: string): void {
  if (day < dayIn(ctx.now, timeZone)) throw invalid({ valid_until: IS_PAST })
}
