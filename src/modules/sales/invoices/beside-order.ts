// What staff have billed beside what an order sold, such as hours of work: it pays for no time, and is neither
// withdrawn nor refunded with the order.
import type { OrderRow } from '#modules/sales/orders/order.ts'
import { type InvoiceRow, OF_ORDER, OF_SUBSCRIPTION } from './invoice.ts'

type OrderTrial = Pick<OrderRow, 'subscription_trial_ends_at' | 'date_paid'>

/**
 * Where the order's own invoice is void, another is instead of it until the order is paid. After a trial none is: its
 * periods are billed.
 */
export function isBeside(
  { subscription_trial_ends_at, date_paid }: OrderTrial,
  { origin, paid_at }: InvoiceRow,
  all: readonly InvoiceRow[],
): boolean {
  if (origin === OF_ORDER || origin === OF_SUBSCRIPTION) return false
  const isLater = date_paid !== null && (paid_at === null || Date.parse(paid_at) > Date.parse(date_paid))
  const hasOwn = all.some((one) => one.origin === OF_ORDER && one.status !== 'void')
  return hasOwn || subscription_trial_ends_at !== null || isLater
}
