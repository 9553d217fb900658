// From lines to amounts (docs/interface/sales.md, Quotes): computed in minor units of the currency. Taxes and
// percentage discounts are rounded per line, half away from zero, so that the totals are the sums of the lines'
// amounts.
import { invalid } from '#kernel/values/errors.ts'
import {
  formatMoney,
  formatPercent,
  InvalidMoney,
  isCurrency,
  MAX_MINOR,
  parseMoney,
  parsePercent,
  percentOf,
} from '#kernel/values/money.ts'
import { type LineItem, MOST, type PricedLine } from '../../delivery/products/line-item.ts'

export type Amounts = { line_items: LineItem[]; subtotal: string; tax_total: string; total: string }

type LineAmounts = { item: LineItem; subtotal: bigint; tax: bigint; total: bigint }

/** 422 names each field that is not an amount in the currency. */
export function amountsOf(lines: readonly PricedLine[], currency: string): Amounts {
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  const problems: Record<string, string> = {}
  const counted = lines.map((line, index) => {
    const read = amountReader((field, problem) => (problems[`line_items.${index}.${field}`] ??= problem))
    return count(line, currency, read)
  })
  Object.assign(problems, intervalProblems(lines))
  const totals = { subtotal: 0n, tax: 0n, total: 0n }
  for (const { subtotal, tax, total } of counted) {
    totals.subtotal += subtotal
    totals.tax += tax
    totals.total += total
  }
  if (totals.subtotal > MAX_MINOR || totals.total > MAX_MINOR)
    problems['line_items'] = 'the total is larger than any amount that can be billed'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    line_items: counted.map(({ item }) => item),
    subtotal: formatMoney(totals.subtotal, currency),
    tax_total: formatMoney(totals.tax, currency),
    total: formatMoney(totals.total, currency),
  }
}

/** An order is billed again at one interval, and what is billed again lasts as long as it is paid for. */
function intervalProblems(lines: readonly PricedLine[]): Record<string, string> {
  const problems: Record<string, string> = {}
  const [common] = lines.flatMap(({ interval }) => interval ?? [])
  for (const [index, { interval, term_months }] of lines.entries()) {
    if (!interval) continue
    if (interval !== common) problems[`line_items.${index}.interval`] = `is not ${common} as that of the others`
    if (typeof term_months === 'number')
      problems[`line_items.${index}.term_months`] = 'cannot be given with interval: it lasts as long as it is paid for'
  }
  return problems
}

type Report = (field: string, problem: string) => void
type AmountReader = { report: Report; guarded: (field: string, compute: () => bigint) => bigint }

/** Takes 0 for a wrong field and continues, so that one answer names all wrong fields. */
function amountReader(report: Report): AmountReader {
  const guarded = (field: string, compute: () => bigint): bigint => {
    try {
      return compute()
    } catch (error) {
      if (!(error instanceof InvalidMoney)) throw error
      report(field, error.message)
      return 0n
    }
  }
  return { report, guarded }
}

function count(line: PricedLine, currency: string, read: AmountReader): LineAmounts {
  const unit = read.guarded('unit_price', () => parseMoney(line.unit_price, currency))
  const subtotal = unit * BigInt(line.quantity)
  const discount = discountOf(line, subtotal, currency, read)
  const { tax_percent: percent } = line
  const rate = typeof percent === 'string' ? read.guarded('tax_percent', () => parsePercent(percent)) : null
  const tax = percentOf(subtotal - discount, rate ?? 0n)
  const total = subtotal - discount + tax
  const item: LineItem = {
    product_name: line.product_name,
    description: line.description ?? null,
    quantity: line.quantity,
    unit_price: formatMoney(unit, currency),
    subtotal: formatMoney(subtotal, currency),
    discount: formatMoney(discount, currency),
    tax_rate: rate === null ? null : formatPercent(rate),
    tax: formatMoney(tax, currency),
    total: formatMoney(total, currency),
    entitlement_class: line.entitlement_class,
    term_months: line.term_months ?? null,
    entitlement_code: line.entitlement_code ?? null,
    product_id: line.product_id ?? null,
    sku: line.sku ?? null,
    ...(line.is_renewal && { is_renewal: true }),
    ...(line.features && { features: line.features }),
    ...(line.interval && { interval: line.interval }),
    ...(line.price_index && { price_index: line.price_index }),
    ...boundsOf(line, read),
  }
  return { item, subtotal, tax, total }
}

/** What is billed again changes later, within its bounds, and its discount in percent with it. */
function boundsOf({ quantity_min, quantity_max, discount_percent: percent }: PricedLine, read: AmountReader) {
  if (typeof quantity_min !== 'number' && typeof quantity_max !== 'number') return {}
  const bounds = { quantity_min: quantity_min ?? 1, quantity_max: quantity_max ?? MOST }
  if (typeof percent !== 'string') return bounds
  return { ...bounds, discount_percent: formatPercent(read.guarded('discount_percent', () => parsePercent(percent))) }
}

function discountOf(line: PricedLine, subtotal: bigint, currency: string, { report, guarded }: AmountReader): bigint {
  const { discount: amount, discount_percent: percent } = line
  if (typeof percent === 'string') {
    if (typeof amount === 'string') report('discount_percent', 'give either this or discount')
    return guarded('discount_percent', () => percentOf(subtotal, parsePercent(percent)))
  }
  if (typeof amount !== 'string') return 0n
  const discount = guarded('discount', () => parseMoney(amount, currency))
  if (discount <= subtotal) return discount
  report('discount', 'is larger than the line')
  return 0n
}

/** A stored line as the input that would produce it. */
export const asPriced = ({ tax_rate: tax_percent, discount, ...line }: LineItem): PricedLine => ({
  ...line,
  tax_percent,
  ...(line.discount_percent === undefined && { discount }),
})
