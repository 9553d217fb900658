// Records a confirmed payment (spec 3.1, 6): invoice paid, order processing, quote paid, in one transaction. The event
// of the paid quote starts the provisioning.
import { enqueueCommission } from '#areas/affiliates/enqueue-commission.ts'
import { invoiceMoves, type InvoiceRow, invoicesTable, OF_ORDER, OF_SUBSCRIPTION } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { orderMoves, ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { quotes } from '#areas/quotes/queries.ts'
import { quoteMoves, quotesTable } from '#areas/quotes/quote.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { beginBilling } from './begin-billing.ts'

/** `byProvider`: paid at the payment provider, which then also makes a refund. */
export type Receipt = { method: string | null; paidAt: Date; byProvider?: boolean }

/** Idempotent: a paid invoice stays as it is. */
export async function settleInvoice(ctx: OrganizationContext, invoiceId: number, receipt: Receipt): Promise<void> {
  const invoice = await invoices.forChange(ctx, invoiceId)
  if (invoice.status === 'paid') return
  if (!allows(invoiceMoves.pay, invoice.status))
    throw new PermanentFailure(
      `invoice ${invoice.number} was paid but is ${invoice.status}: the money has to be refunded by hand`,
    )
  await move(ctx, invoicesTable, invoiceId, invoiceMoves.pay, {
    paid_at: receipt.paidAt.toISOString(),
    payment_date: dayIn(receipt.paidAt, zoneOf(ctx, invoice.company)),
    payment_method: receipt.method,
    payment_status: 'paid',
    amount_paid: invoice.amount_due,
    is_paid_by_provider: receipt.byProvider === true,
  })
  if (invoice.order_id === null) return
  if (await paysTheOrder(ctx, invoice, invoice.order_id)) await settleOrder(ctx, invoice.order_id, receipt, invoiceId)
  // A renewal earns the affiliate of its order a commission too.
  else if (invoice.origin === OF_SUBSCRIPTION)
    await enqueueCommission(ctx, await orders.forChange(ctx, invoice.order_id), { invoice_id: invoiceId, is_new: true })
}

/**
 * The order is paid by its own invoice, not by others that staff billed for it. If its own is void, it is paid once all
 * others that are not void are paid.
 */
async function paysTheOrder(ctx: OrganizationContext, invoice: InvoiceRow, orderId: number): Promise<boolean> {
  if (invoice.origin === OF_ORDER) return true
  const others = (await invoices.ofOrderForChange(ctx, orderId)).filter(({ id }) => id !== invoice.id)
  return others.every(({ origin, status }) => status === 'void' || (status === 'paid' && origin !== OF_ORDER))
}

async function settleOrder(
  ctx: OrganizationContext,
  orderId: number,
  receipt: Receipt,
  invoiceId: number,
): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  await enqueueCommission(ctx, order, { invoice_id: invoiceId, is_new: true })
  const paid = {
    date_paid: receipt.paidAt.toISOString(),
    payment_method: receipt.method,
    payment_method_title: titleOf(receipt.method),
    ...(await beginBilling(ctx, order, invoiceId)),
  }
  if (allows(orderMoves.process, order.status)) await move(ctx, ordersTable, orderId, orderMoves.process, paid)
  // Staff completed the order before the payment: only the payment's fields change.
  else await update(ctx, ordersTable, orderId, paid)
  if (order.quote_id === null) return
  const quote = await quotes.forChange(ctx, order.quote_id)
  // A renewal is paid when the quote has long been fulfilled: the quote stays as it is.
  if (allows(quoteMoves.pay, quote.status)) await move(ctx, quotesTable, order.quote_id, quoteMoves.pay)
}

const titleOf = (method: string | null): string | null =>
  method === null ? null : method.charAt(0).toUpperCase() + method.slice(1).replaceAll('_', ' ')
