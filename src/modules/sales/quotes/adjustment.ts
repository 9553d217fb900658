// The yearly adjustment of a price by an index (docs/billing.md): what staff ask for, what a line keeps of it, what it
// makes of the line.
import { Type, type Static } from 'typebox'
import { PriceIndex } from '#modules/delivery/price-indexes/price-index.ts'
import type { Span } from '#modules/delivery/price-indexes/accumulate.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { dayIn, monthsBetween, monthsLater } from '#kernel/values/time/calendar.ts'
import { formatMoney, formatPercent, parseMoney, percentOf } from '#kernel/values/money.ts'
import { Closed, Money, Month, Nullable } from '#kernel/values/schema.ts'

// The index of a month is published until the middle of the next; the next term is drafted 45 days before.
const LAG = 3
/** Brazilian law has a price adjusted once a year at most. */
export const LEAST_MONTHS = 12
/** The longest term that is sold. */
const MOST_MONTHS = 240

const SignedPercent = Type.String({ pattern: '^-?\\d{1,15}\\.\\d\\d$', examples: ['4.62'] })

export const Adjustment = Type.Object(
  {
    price_index: PriceIndex,
    from_month: { ...Month, description: 'The first month that counts' },
    until_month: { ...Month, description: 'The last month that counts', examples: ['2027-09'] },
    accumulated_percent: {
      ...SignedPercent,
      description: 'What the months accumulate to, rounded once to two digits',
    },
    applied_percent: { ...SignedPercent, description: 'The same within `at_least` and `at_most`' },
    unit_price_before: Money,
    discount_before: { ...Money, examples: ['10.00'] },
  },
  { description: 'How the price was adjusted by an index. Absent: it was not, or the line was given anew since' },
)
export type Adjustment = Static<typeof Adjustment>

const Limit = Type.String({ pattern: '^-?\\d{1,2}(\\.\\d{1,2})?$', maxLength: 6, examples: ['0.00'] })

export const NewAdjustment = Closed({
  price_index: Type.Optional({ ...PriceIndex, description: 'By default that of each line' }),
  until_month: Type.Optional({
    ...Month,
    description:
      'The last month that counts; by default the third month before the next term of the entitlement ' +
      'begins. Required for a line that extends none',
  }),
  months: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_MONTHS,
      examples: [12],
      description: 'How many months count; by default those of the term that ends, at least 12',
    }),
  ),
  line_items: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 199 }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: 'The indexes of the lines, from 0; by default all that extend an entitlement',
      examples: [[0]],
    }),
  ),
  at_least: Type.Optional(
    Nullable({
      ...Limit,
      description: 'Percent; by default 0, so that no price falls. null: it falls as the index does',
    }),
  ),
  at_most: Type.Optional(Nullable({ ...Limit, description: 'Percent', examples: ['10.00'] })),
})
export type NewAdjustment = Static<typeof NewAdjustment>

export type Limits = Pick<NewAdjustment, 'at_least' | 'at_most'>

export function adjustmentRules({ at_least, at_most }: Limits): Fields {
  const [least, most] = [limit(at_least, '0'), limit(at_most, null)]
  return least !== null && most !== null && most < least ? { at_most: 'is less than at_least' } : {}
}

/** In hundredths of a percent; null: none. */
function limit(given: string | null | undefined, otherwise: string | null): bigint | null {
  const text = given === undefined ? otherwise : given
  if (text === null) return null
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + fraction.padEnd(2, '0'))
  return text.startsWith('-') ? -size : size
}

/** The months of the term that ends: the one in which it began, and the one in which the next begins. */
export type Term = { began: string; ends: string }

export function termOf({ began_at, expires_at }: { began_at: string; expires_at: string }, zone: string): Term {
  const monthOf = (moment: string) => dayIn(new Date(moment), zone).slice(0, 7)
  return { began: monthOf(began_at), ends: monthOf(expires_at) }
}

/**
 * Terms that follow each other leave out no month and count none twice. Null without a term and without a last month.
 */
export function spanOf(
  price_index: string,
  term: Term | undefined,
  { until_month, months }: Pick<NewAdjustment, 'until_month' | 'months'> = {},
): Span | null {
  const until = until_month ?? (term && monthsLater(term.ends, -LAG))
  if (until === undefined) return null
  const held = term ? monthsBetween(term.began, term.ends) : LEAST_MONTHS
  const count = months ?? Math.min(MOST_MONTHS, Math.max(LEAST_MONTHS, held))
  return { price_index, from_month: monthsLater(until, 1 - count), until_month: until }
}

/** By index, in order. */
export function lackingByIndex(all: readonly { price_index: string; months: readonly string[] }[]) {
  const found = Map.groupBy(
    all.filter(({ months }) => months.length > 0),
    ({ price_index }) => price_index,
  )
  return [...found].map(([priceIndex, some]) => ({
    priceIndex,
    months: [...new Set(some.flatMap(({ months }) => months))].toSorted(),
  }))
}

type PricedLine = {
  unit_price: string
  discount: string
  quantity: number
  /** The least that the customer may choose, of which the discount is no more than the price either. */
  quantity_min?: number | null
  adjustment?: Adjustment
}

/**
 * From the price before an earlier adjustment, so that nothing is adjusted twice. An amount off the line goes along.
 */
export function adjustedBy<Line extends PricedLine>(
  line: Line,
  { span, percent, limits, currency }: { span: Span; percent: bigint; limits: Limits; currency: string },
): Line & { adjustment: Adjustment } {
  const { unit_price_before, discount_before } = line.adjustment ?? {
    unit_price_before: line.unit_price,
    discount_before: line.discount,
  }
  const applied = within(percent, limits)
  const times = (amount: string): bigint => percentOf(parseMoney(amount, currency), WHOLE + applied)
  const unit = times(unit_price_before)
  const [most, discount] = [unit * BigInt(line.quantity_min ?? line.quantity), times(discount_before)]
  return {
    ...line,
    unit_price: formatMoney(unit, currency),
    discount: formatMoney(discount < most ? discount : most, currency),
    adjustment: {
      ...span,
      accumulated_percent: formatPercent(percent),
      applied_percent: formatPercent(applied),
      unit_price_before,
      discount_before,
    },
  }
}
const WHOLE = 10_000n

function within(percent: bigint, { at_least, at_most }: Limits): bigint {
  const [least, most] = [limit(at_least, '0'), limit(at_most, null)]
  const raised = least !== null && percent < least ? least : percent
  return most !== null && raised > most ? most : raised
}
