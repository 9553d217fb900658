// The lines of an order that was made in the shop, as ours store them. A product of the catalogue is recognized by its SKU;
// what has none is a standalone order.
import { type LineItem } from '#areas/orders/line-item.ts'
import type { Offer } from '#areas/products/offers.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { formatMoney, InvalidMoney, parseMoney } from '#kernel/values/money.ts'
import type { PlatformLine, PlatformOrder } from '#ports/commerce.ts'

type Imported = { line_items: LineItem[]; subtotal: string; tax_total: string; total: string }

const STANDALONE = 'ORD'

export const classOf = ({ sku }: PlatformLine, offers: Map<string, Offer>): LineItem['entitlement_class'] =>
  offers.get(sku ?? '')?.entitlement_class ?? STANDALONE

/** `codes`: one for each line. A line below zero, or sums that are not the order's, become a dead letter. */
export function importedLines(order: PlatformOrder, offers: Map<string, Offer>, codes: readonly string[]): Imported {
  const { currency, number } = order
  try {
    const counted = order.lines.map((line) => count(line, currency))
    const sums = { subtotal: 0n, tax: 0n, total: 0n }
    for (const { unit, quantity, tax, total } of counted) {
      sums.subtotal += unit * BigInt(quantity)
      sums.tax += tax
      sums.total += total
    }
    if (formatMoney(sums.total, currency) !== order.total)
      throw new PermanentFailure(
        `the lines of order ${number} of the shop make ${formatMoney(sums.total, currency)} ${currency}, but it is of ${order.total}`,
      )
    const line_items = order.lines.map((line, index) => ({
      ...amountsIn(counted[index] ?? count(line, currency), currency),
      product_name: line.name,
      description: null,
      entitlement_class: classOf(line, offers),
      term_months: offers.get(line.sku ?? '')?.term_months ?? null,
      entitlement_code: codes[index] ?? null,
      product_id: offers.get(line.sku ?? '')?.id ?? null,
      sku: line.sku,
    }))
    return {
      line_items,
      subtotal: formatMoney(sums.subtotal, currency),
      tax_total: formatMoney(sums.tax, currency),
      total: order.total,
    }
  } catch (error) {
    if (error instanceof InvalidMoney) throw new PermanentFailure(`order ${number} of the shop has a line below zero`)
    throw error
  }
}

type Counted = { unit: bigint; quantity: number; discount: bigint; tax: bigint; total: bigint }

/** A subtotal that the quantity does not divide has its unit price rounded up, and the rest as a discount. */
function count(line: PlatformLine, currency: string): Counted {
  const [subtotal, net, tax] = [line.subtotal, line.total, line.tax].map((amount) => parseMoney(amount, currency))
  if (subtotal === undefined || net === undefined || tax === undefined) throw new InvalidMoney('no amount')
  const quantity = BigInt(line.quantity)
  const highest = subtotal > net ? subtotal : net
  const unit = (highest + quantity - 1n) / quantity
  return { unit, quantity: line.quantity, discount: unit * quantity - net, tax, total: net + tax }
}

const amountsIn = ({ unit, quantity, discount, tax, total }: Counted, currency: string) => ({
  quantity,
  unit_price: formatMoney(unit, currency),
  subtotal: formatMoney(unit * BigInt(quantity), currency),
  discount: formatMoney(discount, currency),
  // The shop adds up taxes of several rates.
  tax_rate: null,
  tax: formatMoney(tax, currency),
  total: formatMoney(total, currency),
})
