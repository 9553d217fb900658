// Cancels an order (by the customer or staff) or a quote (by staff) together with its invoices, entitlements and
// refunds (docs/interface/sales.md, Orders).
import { endEntitlementsSoldBy } from '#modules/delivery/entitlements/renew-by-order.ts'
import { isBeside } from '#modules/sales/invoices/beside-order.ts'
import { invoiceMoves, type InvoiceRow, OF_ORDER, OF_SUBSCRIPTION } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { voidInvoice } from '#modules/sales/invoices/void-invoice.ts'
import { type OrderRow, orderMoves, ordersTable, type OrderStatusChange } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { moveOrder, withNote } from '#modules/sales/orders/move-order.ts'
import { quotes } from '#modules/sales/quotes/queries.ts'
import { type Quote, quoteMoves, quotesTable } from '#modules/sales/quotes/quote.ts'
import { refundRest } from '#modules/sales/refunds/start-refund.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { allows } from '#kernel/data/moves.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { ownBody } from '#http/organization-body.ts'
import { assertMayWithdraw, isToCome, withdrawInvoice } from './withdraw-invoice.ts'

/** Customers may cancel an order that is pending or processing; staff also one that is on hold or failed. */
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

/**
 * For an order whose subscription has ended. Renewals of time that has not begun become void, and so does the invoice
 * of an order that was never delivered; what was used, and what staff billed for their work, stays owed.
 */
export async function endOrder(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  await move(ctx, ordersTable, order.id, orderMoves.endWithSubscription)
  for (const invoice of await invoices.ofOrderForChange(ctx, order.id))
    if (isUndelivered(ctx, order, invoice)) await withdrawInvoice(ctx, invoice, 'Subscription ended')
  await cancelQuoteOf(ctx, order)
}

/** 403 for who lacks what `endOrder` needs, which a job does once the provider has ended the subscription. */
export async function assertMayEndOrder(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  if (!allows(orderMoves.endWithSubscription, order.status)) return
  for (const invoice of await invoices.ofOrderForChange(ctx, order.id))
    if (isUndelivered(ctx, order, invoice)) assertMayWithdraw(ctx, invoice)
}

const isUndelivered = ({ now }: OrganizationContext, { date_completed }: OrderRow, invoice: InvoiceRow): boolean =>
  isToCome(invoice, now) || (invoice.origin === OF_ORDER && date_completed === null)

/** For an order that was sold in a shop, which has cancelled it: what it pays back is the shop's. */
export async function endImportedOrder(ctx: OrganizationContext, { id, status }: OrderRow): Promise<void> {
  if (!allows(orderMoves.endWithSale, status)) return void (await changeOrderStatus(ctx, id, { status: 'cancelled' }))
  await move(ctx, ordersTable, id, orderMoves.endWithSale)
  await endEntitlementsSoldBy(ctx, id, 'order_cancelled')
}

/** A refunded order ends its entitlements; its quote, if not provisioned yet, is cancelled. */
async function endRefunded(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  await endEntitlementsSoldBy(ctx, order.id, 'refunded')
  await cancelQuoteOf(ctx, order)
}

/** A quote that has an order is cancelled through the order. */
export async function cancelQuote(ctx: OrganizationContext, id: number): Promise<Quote> {
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.cancel, quote.status))
    throw conflict('status_not_allowed', `A quote that is ${quote.status} cannot be cancelled`)
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
  const cancelled = await move(
    { ...ctx, reason: note ?? ctx.reason ?? null },
    ordersTable,
    order.id,
    act,
    withNote(order, note),
  )
  const all = await invoices.ofOrderForChange(ctx, order.id)
  const billed = all.filter((invoice) => !isBeside(order, invoice, all))
  for (const invoice of billed) await undoInvoice(ctx, invoice)
  // Paid entitlements end when the refund succeeds. Where nothing was paid there is no refund, so they end now.
  if (
    billed.every(({ status, amount_paid, currency }) => status !== 'paid' || parseMoney(amount_paid, currency) === 0n)
  )
    await endEntitlementsSoldBy(ctx, order.id, 'order_cancelled')
  await cancelQuoteOf(ctx, order)
  return cancelled
}

async function cancelQuoteOf(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  if (order.quote_id === null) return
  const quote = await quotes.forChange(ctx, order.quote_id)
  if (allows(quoteMoves.cancel, quote.status)) await move(ctx, quotesTable, quote.id, quoteMoves.cancel)
}

/**
 * An open invoice becomes void, what was paid is refunded, except renewals of a subscription whose time has been used,
 * or may be used to the end of what is paid.
 */
async function undoInvoice(ctx: OrganizationContext, invoice: InvoiceRow): Promise<void> {
  if (invoice.origin === OF_SUBSCRIPTION) {
    if (isToCome(invoice, ctx.now)) await withdrawInvoice(ctx, invoice, CANCELLED)
    return
  }
  await refundRest(ctx, invoice, CANCELLED)
  if (allows(invoiceMoves.void, invoice.status)) await voidInvoice(ctx, invoice)
}

const CANCELLED = 'Order cancelled'
