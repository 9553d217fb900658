// Lines to amounts: exact, in minor units, with the currency's digits.
import { invalid } from '#kernel/errors.ts'
import { formatMoney, InvalidMoney, isCurrency, MAX_MINOR, parseMoney } from '#kernel/money.ts'
import type { LineItem, NewLineItem } from '#areas/orders/line-item.ts'

export type Amounts = { line_items: LineItem[]; subtotal: string; total: string }

/** Throws 422 naming each field that is no amount in the currency. */
export function amountsOf(lines: readonly NewLineItem[], currency: string): Amounts {
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  const problems: Record<string, string> = {}
  let total = 0n
  const line_items = lines.map((line, index): LineItem => {
    const unit = unitPrice(
      line.unit_price,
      currency,
      (problem) => (problems[`line_items.${index}.unit_price`] = problem),
    )
    const amount = unit * BigInt(line.quantity)
    total += amount
    return {
      product_name: line.product_name,
      description: line.description ?? null,
      quantity: line.quantity,
      unit_price: formatMoney(unit, currency),
      total: formatMoney(amount, currency),
      entitlement_class: line.entitlement_class,
      term_months: line.term_months ?? null,
    }
  })
  if (total > MAX_MINOR) problems['line_items'] = 'the total is larger than any amount that can be billed'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return { line_items, subtotal: formatMoney(total, currency), total: formatMoney(total, currency) }
}

function unitPrice(text: string, currency: string, refuse: (problem: string) => void): bigint {
  try {
    return parseMoney(text, currency)
  } catch (error) {
    if (!(error instanceof InvalidMoney)) throw error
    refuse(error.message)
    return 0n
  }
}
