// The line of a quote: a line with what the customer may choose, and the amounts of the lines that are chosen.
import { Type, type Static } from 'typebox'
import { assertPayable, type PayableChoice } from '#ports/payable-amounts.ts'
import { type Amounts, amountsOf } from '#modules/sales/orders/amounts.ts'
import { Bound, LineItem, MOST, NewLineItem, type PricedLine } from '#modules/delivery/products/line-item.ts'
import { type Fields } from '#kernel/values/validation/problems.ts'
import { PriceIndex } from '#modules/delivery/price-indexes/price-index.ts'
import { Adjustment } from './adjustment.ts'
import { EntitlementClass, EntitlementCode } from '#modules/delivery/entitlements/entitlement.ts'
import { featureRules, Features } from '#modules/delivery/entitlements/feature.ts'
import { invalid } from '#kernel/values/errors.ts'
import { formatMoney, formatPercent, parseMoney, parsePercent } from '#kernel/values/money.ts'
import { Closed, type Company, Nullable, Percent } from '#kernel/values/schema.ts'

export const QuoteLine = Type.Object(
  {
    ...LineItem.properties,
    is_optional: Type.Boolean({ description: 'The customer may leave it out', examples: [false] }),
    is_chosen: Type.Boolean({ description: 'Counts in the totals; before acceptance the default', examples: [true] }),
    quantity_min: Nullable({
      ...Bound,
      description: 'The least that the customer may choose; null: the quantity is fixed',
    }),
    quantity_max: Nullable({
      ...Bound,
      description: 'The most that the customer may choose; null: the quantity is fixed',
    }),
    discount_percent: Nullable({ ...Percent, description: 'From which the discount follows the quantity' }),
    adjustment: Type.Optional(Adjustment),
  },
  { description: 'One line of a quote' },
)
export type QuoteLine = Static<typeof QuoteLine>

/** What staff enter. */
export const NewQuoteLine = Closed({
  ...NewLineItem.properties,
  entitlement_class: Type.Optional({
    ...EntitlementClass,
    description:
      'When absent, that of the product, or, without `product_id`, that of the entitlement of `entitlement_code`; ' +
      'else required',
  }),
  entitlement_code: Type.Optional({
    ...EntitlementCode,
    description: 'Of an entitlement of the organization with an end, which the line extends by its term',
  }),
  features: Type.Optional({
    ...Features,
    description: 'What one unit gives; those of the product when absent. Not with `entitlement_code`',
  }),
  price_index: Type.Optional(
    Nullable({
      ...PriceIndex,
      description: 'By which the price of the next term is adjusted; of a term of 12 months or more',
    }),
  ),
  is_optional: Type.Optional(Type.Boolean({ description: 'Whether the customer may leave it out; false when absent' })),
  is_chosen: Type.Optional(
    Type.Boolean({ description: 'Of an optional line, whether it is chosen by default; false when absent' }),
  ),
  quantity_min: Type.Optional(Nullable({ ...Bound, description: '1 when only `quantity_max` is given' })),
  quantity_max: Type.Optional(Nullable({ ...Bound, description: `${MOST} when only \`quantity_min\` is given` })),
})
export type NewQuoteLine = Static<typeof NewQuoteLine>

export type OfferedLine = PricedLine &
  Pick<NewQuoteLine, 'is_optional' | 'is_chosen' | 'quantity_min' | 'quantity_max'> &
  Pick<QuoteLine, 'adjustment'>

export type Offer = Omit<Amounts, 'line_items'> & { line_items: QuoteLine[] }

/** 422 also names what would be wrong with the largest and the smallest choice, so that none is refused later. */
export function offerOf(lines: readonly OfferedLine[], currency: string): Offer {
  const { line_items } = amountsOf(lines, currency)
  for (const bound of ['quantity_max', 'quantity_min'] as const)
    amountsOf(
      lines.map((line) => ({ ...line, quantity: line[bound] ?? line.quantity })),
      currency,
    )
  const { subtotal, tax_total, total } = amountsOf(lines.filter(isChosen), currency)
  const offered = line_items.map((item, index) => ({ ...item, ...termsOf(lines[index]) }))
  return { line_items: offered, subtotal, tax_total, total }
}

/**
 * Each line by itself, since the customer may leave out others, with the offered, the smallest and the largest
 * quantity.
 */
export function assertOfferPayable(
  ctx: PayableChoice,
  sale: { company: Company; currency: string },
  lines: readonly OfferedLine[],
): void {
  for (const bound of ['quantity', 'quantity_min', 'quantity_max'] as const) {
    const bounded = lines.map((line) => ({ ...line, quantity: line[bound] ?? line.quantity }))
    const { line_items } = amountsOf(bounded, sale.currency)
    const totals = line_items.map(({ total }, index) => [`line_items.${index}.unit_price`, total])
    assertPayable(ctx, sale, Object.fromEntries(totals))
  }
}

const isChosen = ({ is_optional = false, is_chosen }: OfferedLine): boolean => is_chosen ?? !is_optional

function termsOf(line: OfferedLine | undefined) {
  if (!line) throw new Error('each line has its terms')
  const { quantity_min = null, quantity_max = null, discount_percent, is_optional = false, adjustment } = line
  const isFixed = quantity_min === null && quantity_max === null
  return {
    is_optional,
    is_chosen: isChosen(line),
    quantity_min: isFixed ? null : (quantity_min ?? 1),
    quantity_max: isFixed ? null : (quantity_max ?? MOST),
    discount_percent: typeof discount_percent === 'string' ? formatPercent(parsePercent(discount_percent)) : null,
    ...(adjustment && { adjustment }),
  }
}

/** What is wrong with what the customer may choose; needs no catalogue. */
export function termProblems(lines: readonly NewQuoteLine[]): Fields {
  const problems: Fields = {}
  for (const [index, { quantity, quantity_min, quantity_max, is_optional, is_chosen }] of lines.entries()) {
    const at = `line_items.${index}`
    if ((quantity_min ?? 0) > quantity) problems[`${at}.quantity_min`] = 'is more than the quantity'
    if ((quantity_max ?? MOST) < quantity) problems[`${at}.quantity_max`] = 'is less than the quantity'
    if (is_chosen === false && is_optional !== true)
      problems[`${at}.is_chosen`] = 'only an optional line may be left out'
    Object.assign(problems, featureProblems(lines[index], at))
  }
  const isEmpty = lines.length > 0 && !lines.some(({ is_optional = false, is_chosen = !is_optional }) => is_chosen)
  return { ...problems, ...(isEmpty && { line_items: 'at least one line must be chosen' }) }
}

function featureProblems(line: NewQuoteLine | undefined, at: string): Fields {
  if (line?.features && line.entitlement_code !== undefined)
    return { [`${at}.features`]: 'cannot be given: the entitlement keeps its own' }
  return Object.fromEntries(Object.entries(featureRules(line ?? {})).map(([field, text]) => [`${at}.${field}`, text]))
}

/** A stored line as the input that would produce it. */
export const asOffered = ({ tax_rate: tax_percent, discount, ...line }: QuoteLine): OfferedLine => ({
  ...line,
  tax_percent,
  discount: line.discount_percent === null ? discount : null,
})

/** What the totals leave for the discount, as the database computes it. */
export function discountIn({
  subtotal,
  tax_total,
  total,
  currency,
}: Omit<Amounts, 'line_items'> & { currency: string }) {
  const [gross, tax, net] = [
    parseMoney(subtotal, currency),
    parseMoney(tax_total, currency),
    parseMoney(total, currency),
  ]
  return formatMoney(gross + tax - net, currency)
}

/** The chosen lines, as an order has them. What is billed again keeps its bounds. */
export const orderedLines = (lines: readonly QuoteLine[]): LineItem[] =>
  lines.flatMap((one) => {
    const { is_optional: _o, is_chosen, quantity_min, quantity_max, discount_percent, adjustment: _a, ...line } = one
    const isFixed = line.interval === undefined || quantity_min === null || quantity_max === null
    const bounds = isFixed ? {} : { quantity_min, quantity_max, ...(discount_percent !== null && { discount_percent }) }
    return is_chosen ? [{ ...line, ...bounds }] : []
  })

/** What the customer chooses of one line. */
export const LineChoice = Closed({
  index: Type.Integer({ minimum: 0, maximum: 199, description: 'Of the line, from 0', examples: [1] }),
  is_chosen: Type.Optional(Type.Boolean({ description: 'Of an optional line' })),
  quantity: Type.Optional({ ...Bound, description: 'Between `quantity_min` and `quantity_max`' }),
})
export type LineChoice = Static<typeof LineChoice>

export const LineChoices = Type.Optional(
  Type.Array(LineChoice, { maxItems: 200, description: 'Lines that are not named stay as they are offered' }),
)

/** The offer as the customer chose it; 422 names what cannot be chosen. */
export function chosenOffer(
  { line_items, currency }: { line_items: readonly QuoteLine[]; currency: string },
  choices: readonly LineChoice[] = [],
): Offer {
  const problems: Fields = {}
  const chosen = [...line_items]
  const seen = new Set<number>()
  for (const [position, choice] of choices.entries()) {
    const line = line_items[choice.index]
    const problem = line ? problemOf(line, choice, seen.has(choice.index)) : { index: 'names no line of the quote' }
    for (const [field, text] of Object.entries(problem)) problems[`line_items.${position}.${field}`] = text
    seen.add(choice.index)
    const { index, ...picked } = choice
    if (line) chosen[index] = { ...line, ...picked }
  }
  if (!chosen.some(({ is_chosen }) => is_chosen)) problems['line_items'] ??= 'at least one line must be chosen'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return offerOf(chosen.map(asOffered), currency)
}

function problemOf(line: QuoteLine, { is_chosen, quantity }: LineChoice, isRepeated: boolean): Fields {
  return {
    ...(isRepeated && { index: 'is named twice' }),
    ...(is_chosen === false && !line.is_optional && { is_chosen: 'the line is not optional' }),
    ...quantityProblem(line, quantity),
  }
}

function quantityProblem({ quantity: fixed, quantity_min: min, quantity_max: max }: QuoteLine, asked?: number): Fields {
  if (asked === undefined) return {}
  if (asked !== fixed && min === null) return { quantity: `is fixed at ${fixed}` }
  if (asked < (min ?? fixed)) return { quantity: `must be at least ${min}` }
  return asked > (max ?? fixed) ? { quantity: `must be at most ${max}` } : {}
}
