// A trial of an order: it is delivered as by a payment, but nothing is owed for it (docs/decisions/0061,
// docs/billing.md).
import { OF_ORDER } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { orderMoves, type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { withdrawInvoice } from '#modules/sales/payments/withdraw-invoice.ts'
import { awaitsPayment, deliverUnpaid } from '#modules/sales/quotes/deliver-quote.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { type AppError, conflict } from '#kernel/values/errors.ts'

/** 409 with the reason why the order cannot begin with a trial; null: it can. */
export async function refusalOfTrial(ctx: OrganizationContext, order: OrderRow): Promise<AppError | null> {
  if (order.date_paid !== null) return conflict('order_paid', 'The order is paid: it cannot begin with a trial')
  if (order.line_items.some(({ interval }) => interval === undefined))
    return conflict('one_time_lines', 'The order has lines that are billed once: it cannot begin with a trial')
  const awaits = order.quote_id !== null && (await awaitsPayment(ctx, order.quote_id))
  return awaits && allows(orderMoves.process, order.status)
    ? null
    : conflict('no_payment_awaited', 'The order waits for no payment: it cannot begin with a trial')
}

export async function assertTrial(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const refusal = await refusalOfTrial(ctx, order)
  if (refusal !== null) throw refusal
}

/** The order's invoice becomes void, and what was paid of it is refunded. */
export async function beginTrial(ctx: OrganizationContext, { id, quote_id }: OrderRow): Promise<void> {
  if (quote_id !== null) await deliverUnpaid(ctx, quote_id)
  await move(ctx, ordersTable, id, orderMoves.process)
  for (const invoice of await invoices.ofOrderForChange(ctx, id))
    if (invoice.origin === OF_ORDER) await withdrawInvoice(ctx, invoice, 'Trial')
}
