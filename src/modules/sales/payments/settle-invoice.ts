// Records a payment (spec 3.1, 6; docs/decisions/0058): the only way in. What is due is paid; what is more goes to the
// credit balance. The last part makes the invoice paid, the order processing, the quote paid, in one transaction. The
// event of the paid quote starts the provisioning.
import { enqueueCommission } from '#modules/delivery/affiliates/enqueue-commission.ts'
import { isBeside } from '#modules/sales/invoices/beside-order.ts'
import {
  invoiceMoves,
  type InvoiceRow,
  invoicesTable,
  OF_ORDER,
  OF_SUBSCRIPTION,
} from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { added } from '#modules/sales/invoices/sums.ts'
import { orderMoves, type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { quotes } from '#modules/sales/quotes/queries.ts'
import { quoteMoves, quotesTable } from '#modules/sales/quotes/quote.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { zoneOf } from '#ports/ports.ts'
import { beginBilling } from './begin-billing.ts'
import { applyCheckoutState } from './apply-checkout-state.ts'
import { isReported, type Receipt, recordPayment } from './record-payment.ts'

/** Idempotent: what the provider reports again changes nothing, nor does paying what is due when nothing is. */
export async function settleInvoice(ctx: OrganizationContext, invoiceId: number, receipt: Receipt): Promise<void> {
  const invoice = await invoices.forChange(ctx, invoiceId)
  const { status, currency } = invoice
  if (invoiceMoves.finalize.from.some((draft) => draft === status))
    throw new PermanentFailure(
      `invoice ${invoice.number} was paid but is ${status}: the money has to be refunded by hand`,
    )
  if (await isReported(ctx, invoice, receipt)) return
  const isOwed = allows(invoiceMoves.pay, status)
  const due = isOwed ? parseMoney(invoice.amount_due, currency) : 0n
  const amount = receipt.amount === undefined ? due : parseMoney(receipt.amount, currency)
  const applied = amount < due ? amount : due
  const paidAt = receipt.paidAt ?? ctx.now
  if (amount > 0n) await recordPayment(ctx, invoice, { ...receipt, paidAt, amount, surplus: amount - applied })
  if (!isOwed) return
  if (applied < due) return notePart(ctx, invoice, receipt, applied)
  await move(ctx, invoicesTable, invoiceId, invoiceMoves.pay, {
    paid_at: paidAt.toISOString(),
    payment_date: dayIn(paidAt, zoneOf(ctx, invoice.company)),
    payment_method: receipt.method,
    payment_status: 'paid',
    amount_paid: added(invoice.amount_paid, applied, currency),
  })
  await applyCheckoutState(ctx, invoice, receipt, { isPaid: true })
  await propagateOrder(ctx, invoice, { method: receipt.method, paidAt })
}

async function notePart(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  receipt: Receipt,
  applied: bigint,
): Promise<void> {
  if (applied === 0n) return
  const amount_paid = added(invoice.amount_paid, applied, invoice.currency)
  const values = { amount_paid, payment_status: 'unpaid' as const }
  await update(ctx, invoicesTable, invoice.id, values, invoicesTable.events.partly_paid)
  await applyCheckoutState(ctx, invoice, receipt, { isPaid: false })
}

type PaymentDetails = { method: string | null; paidAt: Date }

async function propagateOrder(ctx: OrganizationContext, invoice: InvoiceRow, paid: PaymentDetails): Promise<void> {
  if (invoice.order_id === null) return
  const order = await orders.forChange(ctx, invoice.order_id)
  if (await paysTheOrder(ctx, invoice, order)) await settleOrder(ctx, order, paid, invoice.id)
  // A renewal earns the affiliate of its order a commission too.
  else if (invoice.origin === OF_SUBSCRIPTION)
    await enqueueCommission(ctx, order, { invoice_id: invoice.id, is_new: true })
}

/**
 * The order is paid once: by its own invoice, not by others that staff billed for it. If its own is void, it is paid
 * when all others that are not void are paid; after a trial by the first period, whatever staff billed beside it.
 */
export async function paysTheOrder(ctx: OrganizationContext, invoice: InvoiceRow, order: OrderRow): Promise<boolean> {
  if (invoice.origin === OF_ORDER) return true
  if (order.date_paid !== null) return false
  const all = await invoices.ofOrderForChange(ctx, order.id)
  if (isBeside(order, invoice, all)) return false
  const others = all.filter((one) => one.id !== invoice.id && !isBeside(order, one, all))
  return others.every(({ origin, status }) => status === 'void' || (status === 'paid' && origin !== OF_ORDER))
}

async function settleOrder(
  ctx: OrganizationContext,
  order: OrderRow,
  receipt: PaymentDetails,
  invoiceId: number,
): Promise<void> {
  await enqueueCommission(ctx, order, { invoice_id: invoiceId, is_new: true })
  const paid = {
    date_paid: receipt.paidAt.toISOString(),
    payment_method: receipt.method,
    payment_method_title: titleOf(receipt.method),
    ...(await beginBilling(ctx, order, invoiceId)),
  }
  if (allows(orderMoves.process, order.status)) await move(ctx, ordersTable, order.id, orderMoves.process, paid)
  // Staff completed the order before the payment: only the payment's fields change.
  else await update(ctx, ordersTable, order.id, paid)
  if (order.quote_id === null) return
  const quote = await quotes.forChange(ctx, order.quote_id)
  // A renewal is paid when the quote has long been fulfilled: the quote stays as it is.
  if (allows(quoteMoves.pay, quote.status)) await move(ctx, quotesTable, order.quote_id, quoteMoves.pay)
}

const titleOf = (method: string | null): string | null =>
  method === null ? null : method.charAt(0).toUpperCase() + method.slice(1).replaceAll('_', ' ')
