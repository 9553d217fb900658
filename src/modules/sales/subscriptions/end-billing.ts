// The end of the service's own billing of an order, and of invoices that it has made (docs/billing.md,
// docs/decisions/0061).
import { invoiceMoves, type InvoiceRow, OF_SUBSCRIPTION } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { orderMoves, type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { endOrder } from '#modules/sales/payments/cancel-order.ts'
import { isToCome, withdrawInvoice } from '#modules/sales/payments/withdraw-invoice.ts'
import { isBeingDelivered } from '#modules/sales/quotes/provision-order.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { changeSubscription, endWithSubscription, paidUntil } from './paid-periods.ts'
import { CANCELLED } from './subscription.ts'

const ENDED = { subscription_status: CANCELLED, subscription_next_at: null }

/**
 * Cancels the order with its invoices of time to come. False while a paid delivery is under way: it has to be asked
 * again.
 */
export async function endBilling(ctx: OrganizationContext, order: OrderRow): Promise<boolean> {
  if (await isBeingDelivered(ctx, order)) return false
  await update(ctx, ordersTable, order.id, ENDED, ordersTable.events.subscription_changed)
  if (allows(orderMoves.endWithSubscription, order.status)) await endOrder(ctx, order)
  await endWithSubscription(ctx, order)
  return true
}

/**
 * For an order that was cancelled or refunded: no more invoices, and nobody owes those for time that was to come then.
 */
export async function stopBilling(ctx: OrganizationContext, order: OrderRow, endedAt: Date): Promise<void> {
  await changeSubscription(ctx, order.id, ENDED)
  await voidRenewals(ctx, order.id, endedAt)
}

/**
 * Voids the open invoices of periods that begin at `from` or later, and refunds what was paid of them; gives their
 * beginnings.
 */
export async function voidRenewals(ctx: OrganizationContext, orderId: number, from: Date): Promise<string[]> {
  const starts: string[] = []
  for (const invoice of await invoices.ofOrderForChange(ctx, orderId)) {
    const isWithdrawn = isToCome(invoice, from) && (await withdrawInvoice(ctx, invoice, 'Period withdrawn'))
    if (isWithdrawn && invoice.period_start !== null) starts.push(invoice.period_start)
  }
  return starts
}

/**
 * Voids the open invoices of periods that have not begun by `since` and of which nothing was paid, so that they are
 * made anew or not at all. Gives the time that is invoiced then.
 */
export async function withdrawRenewals(
  ctx: OrganizationContext,
  order: OrderRow,
  since: Date = ctx.now,
): Promise<string | null> {
  const paid = await paidUntil(ctx, order)
  const ends = (await invoices.ofOrderForChange(ctx, order.id)).filter(isPartPaid).map(({ period_end }) => period_end)
  const moments = [...ends.map((end) => Date.parse(end ?? '')), paid?.getTime() ?? 0, since.getTime()]
  const from = new Date(Math.max(...moments))
  return (await voidRenewals(ctx, order.id, from)).toSorted().at(0) ?? order.subscription_invoiced_until
}

/** Its money would be left with a void invoice, and the period billed in full again. */
const isPartPaid = ({ origin, status, currency, amount_paid, amount_refunded }: InvoiceRow): boolean =>
  origin === OF_SUBSCRIPTION &&
  allows(invoiceMoves.void, status) &&
  parseMoney(amount_paid, currency) > parseMoney(amount_refunded, currency)
