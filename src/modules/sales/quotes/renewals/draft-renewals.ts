// Drafts the quote of the next term of what one order has sold and what ends soon (docs/billing.md).
import { takeEndingTerms } from '#modules/delivery/entitlements/ending-terms.ts'
import { announce } from '#modules/messages/notifications/announce.ts'
import { type Offer, offersOf } from '#modules/delivery/products/offers.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { adjustDraft } from '../adjust-quote.ts'
import { createQuote } from '../draft-quote.ts'
import type { NewQuoteLine } from '../quote-line.ts'
import { renewalDrafted } from './renewal-announcements.ts'
import { renewalDrafts, type SoldTerm } from './renewal-queries.ts'

export async function draftRenewals(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const ids = await takeEndingTerms(ctx, entitlementId)
  const terms = ids.length === 0 ? [] : await ctx.ask(renewalDrafts.sold(ctx.organizationId, ids))
  // Each may have been renewed since by an order in another currency.
  for (const together of Map.groupBy(terms, ({ company, currency }) => `${company} ${currency}`).values())
    await draft(ctx, together)
}

async function draft(ctx: OrganizationContext, terms: readonly SoldTerm[]): Promise<void> {
  const [first] = terms.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
  if (!first) return
  const { company, currency, expires_at } = first
  const products = terms.flatMap(({ line }) => line.product_id ?? [])
  const offers = await offersOf(ctx, products, { company, currency })
  const quote = await createQuote(ctx, {
    company,
    currency,
    valid_until: dayIn(new Date(expires_at), zoneOf(ctx, company)),
    line_items: terms.map((term) => nextTerm(term, offers)),
  })
  await adjustDraft(ctx, quote)
  await announce(ctx, renewalDrafted, quote.id)
}

/**
 * At the price and for the term of the catalogue, where the product is still sold for a term; else, and where an index
 * is agreed on, as it was sold.
 */
function nextTerm(
  { code, class: entitlement_class, quantity, line }: SoldTerm,
  offers: Map<number, Offer>,
): NewQuoteLine {
  const own = { quantity, entitlement_class, entitlement_code: code }
  const offer = line.product_id === null ? undefined : offers.get(line.product_id)
  const product = offer?.active ? { product_id: offer.id } : {}
  const { price_index } = line
  if (
    price_index === undefined &&
    offer?.active &&
    offer.unit_price !== null &&
    offer.term_months !== null &&
    offer.interval === null
  )
    return { ...own, ...product }
  const { product_name, description, term_months, unit_price, discount, tax_rate: tax_percent } = line
  return {
    ...own,
    ...product,
    product_name,
    description,
    term_months,
    interval: null,
    unit_price,
    tax_percent,
    ...(price_index && { price_index }),
    // A discount is an amount of the whole line, so it is valid only for the same quantity.
    discount: line.quantity === quantity ? discount : null,
  }
}
