// The beginning of the service's own billing of an order on request of staff: with its first payment, after the time that
// is paid, or after a trial (docs/decisions/0061).
import { endsOfOrder } from '#areas/entitlements/paid-end.ts'
import { OF_ORDER } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { voidInvoice } from '#areas/invoices/void-invoice.ts'
import { orderMoves, type OrderRow, ordersTable } from '#areas/orders/order.ts'
import { deliverUnpaid } from '#areas/quotes/deliver-quote.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { nextStepAt } from './invoice-period.ts'
import { paidUntil } from './paid-periods.ts'
import { ACTIVE, TRIALING, UNPAID } from './subscription.ts'

const DAY_MS = 86_400_000

/** The columns of the order. */
export async function beginSending(
  ctx: OrganizationContext,
  order: OrderRow,
  trialDays: number | undefined,
): Promise<Partial<OrderRow>> {
  const isPaid = order.date_paid !== null
  if (trialDays !== undefined) {
    if (isPaid) throw conflict('The order is paid: it cannot begin with a trial')
    await beginTrial(ctx, order)
    return begunAt(ctx, TRIALING, new Date(ctx.now.getTime() + trialDays * DAY_MS))
  }
  if (!isPaid) return { subscription_status: UNPAID }
  const ends = await endsOfOrder(ctx, order.id)
  const paid = await paidUntil(ctx, order)
  return begunAt(ctx, ACTIVE, new Date(Math.max(ctx.now.getTime(), ...ends, paid?.getTime() ?? 0)))
}

async function begunAt(ctx: OrganizationContext, status: string, anchor: Date): Promise<Partial<OrderRow>> {
  const at = anchor.toISOString()
  return {
    subscription_status: status,
    subscription_anchor: at,
    subscription_invoiced_until: at,
    subscription_next_at: await nextStepAt(ctx, { until: at, trialEnd: status === TRIALING ? at : null }),
  }
}

/** Delivers as a payment would, but the order's invoice becomes void: nothing is owed for a trial. */
async function beginTrial(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  if (order.line_items.some(({ interval }) => interval === undefined))
    throw conflict('The order has lines that are billed once: it cannot begin with a trial')
  const isDelivered = order.quote_id !== null && (await deliverUnpaid(ctx, order.quote_id))
  if (!isDelivered || !allows(orderMoves.process, order.status))
    throw conflict('The order waits for no payment: it cannot begin with a trial')
  await move(ctx, ordersTable, order.id, orderMoves.process)
  for (const invoice of await invoices.ofOrderForChange(ctx, order.id))
    if (invoice.origin === OF_ORDER && invoice.status !== 'void') await voidInvoice(ctx, invoice)
}
