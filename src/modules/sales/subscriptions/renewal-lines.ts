// The lines that a renewal of an order bills.
import { billedAgain } from '#modules/sales/orders/billed-again.ts'
import type { OrderRow } from '#modules/sales/orders/order.ts'
import { formatMoney } from '#kernel/values/money.ts'

/** The order's lines that are billed again if they add up to the amount, else one line for it. */
export function renewalLines(order: OrderRow, amount: string): OrderRow {
  const again = billedAgain(order)
  const [line] = again.line_items
  if (!line || again.total === amount) return again
  const none = formatMoney(0n, order.currency)
  const untaxed = { discount: none, tax_rate: null, tax: none }
  const whole = { ...line, ...untaxed, quantity: 1, unit_price: amount, subtotal: amount, total: amount }
  return { ...again, subtotal: amount, discount_total: none, tax_total: none, total: amount, line_items: [whole] }
}
