// Lines as staff enter them, with the missing fields taken from the catalogue (docs/interface/sales.md, Quotes).
import { type Fields, problemsIn } from '#kernel/values/validation/problems.ts'
import { type NewQuoteLine, type OfferedLine, offerOf, termProblems } from './quote-line.ts'
import { indexProblems, renewalProblems } from './renewals/renewal-lines.ts'
import { CLASSES } from '#modules/delivery/entitlements/entitlement.ts'
import { type Offer, offersOf } from '#modules/delivery/products/offers.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Company } from '#kernel/values/schema.ts'

export type Sale = { company: Company; currency: string }

/**
 * 422 names each line that lacks a field, or whose product is inactive or has no price for the company and currency.
 */
export async function priced(
  ctx: OrganizationContext,
  lines: readonly NewQuoteLine[],
  sale: Sale,
): Promise<OfferedLine[]> {
  const ids = lines.flatMap(({ product_id }) => (product_id === undefined ? [] : [product_id]))
  const offers = await offersOf(ctx, ids, sale)
  const problems: Record<string, string> = {}
  const complete = lines.map((line, index) =>
    completed(line, offers, (field, problem) => (problems[`line_items.${index}.${field}`] = problem)),
  )
  Object.assign(problems, await renewalProblems(ctx, complete, sale), await indexProblems(ctx, complete))
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return complete.filter((line) => line !== null)
}

/**
 * The problems of lines without a product, which need no catalogue; those of their amounts too, if the currency is
 * given.
 */
export function lineProblems(lines: readonly NewQuoteLine[], currency: string | undefined): Fields {
  const problems: Fields = termProblems(lines)
  for (const [index, line] of lines.entries()) {
    const report: Report = (field, problem) => void (problems[`line_items.${index}.${field}`] ??= problem)
    const complete = line.product_id === undefined ? byHand(line, report) : null
    if (!complete || currency === undefined) continue
    const found = problemsIn(() => offerOf([complete], currency))
    for (const [field, problem] of Object.entries(found))
      if (field.startsWith(FIRST_LINE)) report(field.slice(FIRST_LINE.length), problem)
  }
  return problems
}
const FIRST_LINE = 'line_items.0.'

type Report = (field: string, problem: string) => void

function completed(line: NewQuoteLine, offers: Map<number, Offer>, report: Report): OfferedLine | null {
  if (line.product_id === undefined) return byHand(line, report)
  const offer = offers.get(line.product_id)
  const unit_price = line.unit_price ?? offer?.unit_price ?? null
  if (!offer?.active) report('product_id', 'names no product that is sold')
  else if (unit_price === null) report('product_id', 'has no price for the company and the currency of the quote')
  if (!offer?.active || unit_price === null) return null
  const interval = line.interval === undefined ? offer.interval : line.interval
  const usualTerm = interval === null ? offer.term_months : null
  return {
    ...line,
    unit_price,
    product_name: line.product_name ?? offer.name,
    entitlement_class: line.entitlement_class ?? offer.entitlement_class,
    description: line.description === undefined ? offer.description : line.description,
    term_months: line.term_months === undefined ? usualTerm : line.term_months,
    interval,
    tax_percent: line.tax_percent === undefined ? offer.tax_percent : line.tax_percent,
    sku: offer.sku,
    ...(line.entitlement_code === undefined ? { features: line.features ?? offer.features } : RENEWAL),
  }
}

const RENEWAL = { is_renewal: true }

/** The class of an entitlement is the prefix of its code. */
const classOf = (code: string | undefined) => CLASSES.find((one) => code?.startsWith(`${one}-`))

function byHand({ product_id: _none, ...line }: NewQuoteLine, report: Report): OfferedLine | null {
  const { product_name, unit_price, entitlement_class = classOf(line.entitlement_code) } = line
  const needed = { product_name, unit_price, entitlement_class }
  for (const [field, value] of Object.entries(needed)) if (value === undefined) report(field, 'is required')
  if (product_name === undefined || unit_price === undefined || entitlement_class === undefined) return null
  return { ...line, product_name, unit_price, entitlement_class, ...(line.entitlement_code !== undefined && RENEWAL) }
}
