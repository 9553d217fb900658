// Takes a payment that was recorded on the wrong invoice off it, with what it left in the credit balance. The invoice
// that it had paid is open again; what was delivered stays, until arrears suspend it (docs/decisions/0099).
import { enqueueCommission } from '#modules/delivery/affiliates/enqueue-commission.ts'
import { balanceAt, enterCredit } from '#modules/sales/credit-balances/change-credit-balance.ts'
import { isBeside } from '#modules/sales/invoices/beside-order.ts'
import { invoiceMoves, type InvoiceRow, invoicesTable, OF_ORDER } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { replaceCheckout } from '#modules/sales/invoices/replace-checkout.ts'
import { added } from '#modules/sales/invoices/sums.ts'
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict } from '#kernel/values/errors.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import { openCheckoutLater } from './enqueue-checkout.ts'
import { type Payment, paymentsTable } from './payment.ts'
import { paysTheOrder } from './settle-invoice.ts'

export async function withdrawPayment(ctx: OrganizationContext, payment: Payment): Promise<Payment> {
  const { id, currency, amount, surplus, invoice_id } = payment
  const extra = parseMoney(surplus, currency)
  const moved = await update(ctx, paymentsTable, id, { moved_at: ctx.now.toISOString() }, paymentsTable.events.moved)
  if (extra > 0n) await takeFromBalance(ctx, payment, extra)
  const applied = parseMoney(amount, currency) - extra
  if (invoice_id !== null && applied > 0n) await takeFromInvoice(ctx, invoice_id, applied)
  return moved
}

async function takeFromBalance(ctx: OrganizationContext, payment: Payment, extra: bigint): Promise<void> {
  const { id: payment_id, invoice_id, currency, surplus } = payment
  const held = await balanceAt(ctx, payment)
  if (held < extra)
    throw conflict(
      'balance_too_low',
      `Of the payment ${surplus} ${currency} went to the credit balance, which has ${formatMoney(held, currency)} left`,
    )
  await enterCredit(ctx, payment, { kind: 'moved', amount: -extra, payment_id, invoice_id })
}

async function takeFromInvoice(ctx: OrganizationContext, id: number, applied: bigint): Promise<void> {
  const invoice = await invoices.forChange(ctx, id)
  const amount_paid = added(invoice.amount_paid, -applied, invoice.currency)
  if (invoice.status === 'paid') return reopen(ctx, invoice, amount_paid)
  const changed = await update(ctx, invoicesTable, id, { amount_paid })
  if (allows(invoiceMoves.pay, changed.status)) await replaceCheckout(ctx, changed)
}

async function reopen(ctx: OrganizationContext, invoice: InvoiceRow, amount_paid: string): Promise<void> {
  const { id, order_id } = invoice
  const due = dueWith(invoice, amount_paid)
  if (due < 0n) throw conflict('nothing_owed', 'More of the invoice is credited than would be owed without the payment')
  // Credit notes cover all of it.
  if (due === 0n) {
    await update(ctx, invoicesTable, id, { amount_paid })
    if (order_id !== null) await lowerCommission(ctx, await orders.forChange(ctx, order_id), id)
    return
  }
  // Before it is open: the others that the order waits for are compared with it.
  if (order_id !== null) await reopenOrder(ctx, order_id, invoice)
  await move(ctx, invoicesTable, id, invoiceMoves.reopen, {
    amount_paid,
    payment_status: 'unpaid',
    payment_method: null,
    payment_date: null,
    paid_at: null,
    reopened_at: ctx.now.toISOString(),
    ending_for: null,
    ending_on: null,
  })
  // The payment has closed the checkout that it had.
  if (invoice.payment_invoice_id !== null) await replaceCheckout(ctx, invoice, true)
  else if (invoice.link === null) await openCheckoutLater(ctx, id)
}

/** As the column `amount_due` of an open invoice is computed. */
function dueWith(invoice: InvoiceRow, amountPaid: string): bigint {
  const minor = (amount: string) => parseMoney(amount, invoice.currency)
  const { net_total, amount_credited, withheld_credited, amount_refunded } = invoice
  const credited = minor(amount_credited) - minor(withheld_credited)
  return minor(net_total) - credited - minor(amountPaid) + minor(amount_refunded)
}

const lowerCommission = (ctx: OrganizationContext, order: OrderRow, invoice_id: number): Promise<void> =>
  enqueueCommission(ctx, order, { invoice_id, is_new: false })

/** The order keeps its status. One that other invoices than its own have paid waits for all of them again. */
async function reopenOrder(ctx: OrganizationContext, orderId: number, invoice: InvoiceRow): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  await lowerCommission(ctx, order, invoice.id)
  if (invoice.origin === OF_ORDER || order.date_paid === null) return
  const all = await invoices.ofOrderForChange(ctx, orderId)
  if (isBeside(order, invoice, all) || !(await paysTheOrder(ctx, invoice, { ...order, date_paid: null }))) return
  await update(ctx, ordersTable, orderId, { date_paid: null })
}
