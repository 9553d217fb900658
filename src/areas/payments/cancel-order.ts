// Cancelling: of a quote by staff, of an order by the customer or staff, and what either brings along (docs/interface.md,
// Quotes, orders, payment).
import { cancelEntitlementsOfOrder } from '#areas/entitlements/move-entitlement.ts'
import { invoiceMoves, type InvoiceRow, OF_SUBSCRIPTION } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { voidInvoice } from '#areas/invoices/void-invoice.ts'
import { type OrderRow, orderMoves, ordersTable, type OrderStatusChange } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { moveOrder, withNote } from '#areas/orders/move-order.ts'
import { quotes } from '#areas/quotes/queries.ts'
import { type Quote, quoteMoves, quotesTable } from '#areas/quotes/quote.ts'
import { refundRest } from '#areas/refunds/start-refund.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { allows } from '#kernel/data/moves.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { ownBody } from '#kernel/http/organization-body.ts'

/** Customers may cancel until the order is completed; staff also one that is on hold or failed. */
export async function cancelOrder(ctx: OrganizationContext, id: number): Promise<OrderRow> {
  const order = await orders.forChange(ctx, id)
  return cancel(ctx, order, ctx.caller.staff ? orderMoves.cancel : orderMoves.cancelAsCustomer, null)
}

export async function changeOrderStatus(
  ctx: OrganizationContext,
  id: number,
  body: OrderStatusChange,
): Promise<OrderRow> {
  const { status, note = null } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  if (status === orderMoves.cancel.to) return cancel(ctx, order, orderMoves.cancel, note)
  const moved = await moveOrder(ctx, order, status, note)
  if (status === orderMoves.refund.to) await endRefunded(ctx, order)
  return moved
}

/** The provider has ended its subscription: nobody pays any more, and nothing goes back. */
export async function endOrder(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  await move(ctx, ordersTable, order.id, orderMoves.endWithSubscription)
  for (const invoice of await invoices.ofOrderForChange(ctx, order.id)) await voidOpen(ctx, invoice)
  await cancelQuoteOf(ctx, order)
}

/** What was given back gives nothing any more, provisioned or not. */
async function endRefunded(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  await cancelEntitlementsOfOrder(ctx, order.id)
  await cancelQuoteOf(ctx, order)
}

/** An accepted or paid quote is cancelled through its order. */
export async function cancelQuote(ctx: OrganizationContext, id: number): Promise<Quote> {
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.cancel, quote.status)) throw conflict(`A quote that is ${quote.status} cannot be cancelled`)
  if (quote.order_id === null) return move(ctx, quotesTable, id, quoteMoves.cancel)
  await cancel(ctx, await orders.forChange(ctx, quote.order_id), orderMoves.cancel, null)
  return quotes.forChange(ctx, id)
}

async function cancel(
  ctx: OrganizationContext,
  order: OrderRow,
  act: MoveOf<typeof ordersTable>,
  note: string | null,
): Promise<OrderRow> {
  const cancelled = await move(ctx, ordersTable, order.id, act, withNote(order, note))
  const billed = await invoices.ofOrderForChange(ctx, order.id)
  for (const invoice of billed) await undoInvoice(ctx, invoice)
  // What was paid for ends when it has been given back; there is no such moment where nothing was.
  if (billed.every(({ amount_paid, currency }) => parseMoney(amount_paid, currency) === 0n))
    await cancelEntitlementsOfOrder(ctx, order.id)
  await cancelQuoteOf(ctx, order)
  return cancelled
}

async function cancelQuoteOf(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  if (order.quote_id === null) return
  const quote = await quotes.forChange(ctx, order.quote_id)
  if (allows(quoteMoves.cancel, quote.status)) await move(ctx, quotesTable, quote.id, quoteMoves.cancel)
}

/** What is open is void, what is paid is given back; but not the renewals of a subscription, whose time was had. */
async function undoInvoice(ctx: OrganizationContext, invoice: InvoiceRow): Promise<void> {
  if (invoice.status === 'paid' && invoice.origin !== OF_SUBSCRIPTION) await refundRest(ctx, invoice, 'Order cancelled')
  await voidOpen(ctx, invoice)
}

async function voidOpen(ctx: OrganizationContext, { id, status }: InvoiceRow): Promise<void> {
  if (allows(invoiceMoves.void, status)) await voidInvoice(ctx, id)
}
