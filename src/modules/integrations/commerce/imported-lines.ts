// The lines of an order that was made in the shop, as ours store them. A product of the catalogue is recognized by its
// SKU; what has none is a standalone order.
import { type LineItem } from '#modules/delivery/products/line-item.ts'
import type { Offer } from '#modules/delivery/products/offers.ts'
import { formatMoney } from '#kernel/values/money.ts'
import type { PlatformOrder } from '#ports/commerce.ts'
import type { SoldLine } from './sold-lines.ts'

type ImportedLines = { line_items: LineItem[]; subtotal: string; tax_total: string; total: string }

const STANDALONE = 'ORD'

export const classOf = ({ sku }: Pick<SoldLine, 'sku'>, offers: Map<string, Offer>): LineItem['entitlement_class'] =>
  offers.get(sku ?? '')?.entitlement_class ?? STANDALONE

/** `codes`: one for each line. */
export function importedLines(
  { currency, total }: PlatformOrder,
  lines: readonly SoldLine[],
  { offers, codes }: { offers: Map<string, Offer>; codes: readonly string[] },
): ImportedLines {
  const counted = lines.map(count)
  const sums = { subtotal: 0n, tax: 0n }
  for (const { unit, quantity, tax } of counted) {
    sums.subtotal += unit * BigInt(quantity)
    sums.tax += tax
  }
  const line_items = counted.map((line, index) => ({
    ...amountsIn(line, currency),
    product_name: line.name,
    description: null,
    entitlement_class: classOf(line, offers),
    term_months: offers.get(line.sku ?? '')?.term_months ?? null,
    entitlement_code: codes[index] ?? null,
    product_id: offers.get(line.sku ?? '')?.id ?? null,
    sku: line.sku,
  }))
  const money = (amount: bigint) => formatMoney(amount, currency)
  return { line_items, subtotal: money(sums.subtotal), tax_total: money(sums.tax), total }
}

type CountedLine = SoldLine & { unit: bigint }

/** A subtotal that the quantity does not divide has its unit price rounded up, and the rest as a discount. */
function count(line: SoldLine): CountedLine {
  const quantity = BigInt(line.quantity)
  const highest = line.subtotal > line.net ? line.subtotal : line.net
  return { ...line, unit: (highest + quantity - 1n) / quantity }
}

function amountsIn({ unit, quantity, net, tax }: CountedLine, currency: string) {
  const subtotal = unit * BigInt(quantity)
  return {
    quantity,
    unit_price: formatMoney(unit, currency),
    subtotal: formatMoney(subtotal, currency),
    discount: formatMoney(subtotal - net, currency),
    // The shop adds up taxes of several rates.
    tax_rate: null,
    tax: formatMoney(tax, currency),
    total: formatMoney(net + tax, currency),
  }
}
