// The payment of an order that the service itself bills again begins its first period (docs/decisions/0061).
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { billedAgain, intervalOf, intervalOfLines, invoicedAt } from '#modules/sales/orders/billed-again.ts'
import { type OrderRow, SEND_INVOICE } from '#modules/sales/orders/order.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { nextPeriod } from '#modules/delivery/entitlements/periods.ts'

/**
 * The columns of the order to change: none unless staff asked for it, or it has lines that are billed again and that
 * nobody else charges. The period begins when the payment is recorded, as the delivery does.
 */
export async function beginBilling(
  ctx: OrganizationContext,
  order: OrderRow,
  invoiceId: number,
): Promise<Partial<OrderRow>> {
  const begun = isAwaited(order) ? order : billedByItself(order, ctx.now)
  if (begun === null) return {}
  const { start, end } = nextPeriod([], ctx.now, intervalOf(ctx, { ...order, ...begun }))
  const period_end = end.toISOString()
  await update(ctx, invoicesTable, invoiceId, { period_start: start.toISOString(), period_end })
  const { subscription_interval, subscription_amount, subscription_requested_at } = begun
  return {
    subscription_status: 'active',
    subscription_collection_method: SEND_INVOICE,
    subscription_interval,
    subscription_amount,
    subscription_requested_at,
    subscription_anchor: start.toISOString(),
    subscription_invoiced_until: period_end,
    subscription_next_at: await invoicedAt(ctx, order.company, end),
  }
}

type BillingStart = Pick<OrderRow, 'subscription_interval' | 'subscription_amount' | 'subscription_requested_at'>

const isAwaited = ({ subscription_status, subscription_collection_method }: OrderRow): boolean =>
  subscription_status === 'incomplete' && subscription_collection_method === SEND_INVOICE

function billedByItself(order: OrderRow, now: Date): BillingStart | null {
  const subscription_interval = intervalOfLines(order)
  if (subscription_interval === null || order.subscription_status !== null) return null
  const { total: subscription_amount } = billedAgain(order)
  return { subscription_interval, subscription_amount, subscription_requested_at: now.toISOString() }
}
