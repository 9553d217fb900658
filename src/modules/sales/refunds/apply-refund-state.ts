// Applies a report about a refund, by the provider or by staff. A refund that succeeded is credited; when all that was
// paid is refunded, the order is refunded and its entitlements end.
import { enqueueCommission } from '#modules/delivery/affiliates/enqueue-commission.ts'
import { creditBalanceForChange, enterCredit } from '#modules/sales/credit-balances/change-credit-balance.ts'
import { issueCreditNote } from '#modules/sales/credit-notes/issue-credit-note.ts'
import { endEntitlementsSoldBy } from '#modules/delivery/entitlements/renew-by-order.ts'
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { replaceCheckout } from '#modules/sales/invoices/replace-checkout.ts'
import { added } from '#modules/sales/invoices/sums.ts'
import { creditOfNet } from '#modules/sales/invoices/withheld-of-credit.ts'
import { orderMoves, type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import { cancelRefundedLater } from '#modules/sales/tax-invoices/cancel-voided.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { parseMoney } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { refunds } from './queries.ts'
import { isOfInvoice, type Refund, refundMoves, type RefundOfInvoice, refundsTable } from './refund.ts'
import { releaseReserved, reserveAgain } from './reserved-amounts.ts'

/** `amount` and `currency`, if the provider gave them, have to equal those of the refund. */
export type RefundReport = {
  status: 'processing' | 'succeeded' | 'failed'
  amount?: string | undefined
  currency?: string | undefined
  reason?: string | null
}

/** The same report again changes nothing. */
export async function applyRefundState(ctx: OrganizationContext, id: number, report: RefundReport): Promise<void> {
  const refund = await refunds.forChange(ctx, id)
  assertSameMoney(refund, report)
  assertNotReturned(refund, report)
  if (report.status === 'failed' && allows(refundMoves.fail, refund.status)) {
    await releaseReserved(ctx, refund)
    const values = { failure_reason: report.reason ?? null, settled_at: ctx.now.toISOString() }
    await move(ctx, refundsTable, id, refundMoves.fail, values)
  }
  if (report.status !== 'succeeded' || !allows(refundMoves.succeed, refund.status)) return
  if (refund.status === 'failed') await reserveAgain(ctx, refund)
  const refunded_on = dayIn(ctx.now, zoneOf(ctx, await companyOf(ctx, refund)))
  await move(ctx, refundsTable, id, refundMoves.succeed, {
    failure_reason: null,
    refunded_on,
    settled_at: ctx.now.toISOString(),
  })
  if (isOfInvoice(refund)) await applyInvoiceRefundState(ctx, refund)
}

const companyOf = async (ctx: OrganizationContext, refund: Refund): Promise<Company> =>
  isOfInvoice(refund)
    ? (await invoices.forChange(ctx, refund.invoice_id)).company
    : (await creditBalanceForChange(ctx, refund.credit_balance_id ?? 0)).company

async function applyInvoiceRefundState(ctx: OrganizationContext, refund: RefundOfInvoice): Promise<void> {
  const invoice = await noteRefunded(ctx, refund)
  await returnToBalance(ctx, refund, invoice)
  if (invoice.status === 'paid') await creditRefund(ctx, refund, invoice)
  // What was refunded of an invoice that is still owed is due again.
  else if (allows(invoiceMoves.pay, invoice.status)) await replaceCheckout(ctx, invoice)
  if (invoice.payment_status === 'refunded' && (await refunds.isToCancel(ctx, invoice.id)))
    await cancelRefundedLater(ctx, invoice.id)
  if (refund.order_id === null) return
  const order = await orders.forChange(ctx, refund.order_id)
  await enqueueCommission(ctx, order, { invoice_id: invoice.id, is_new: false })
  if (await refunds.orderIsRefunded(ctx, order.id)) await endOrder(ctx, order)
}

/** A payment that was made from the credit balance goes back there. */
async function returnToBalance(ctx: OrganizationContext, refund: RefundOfInvoice, invoice: InvoiceRow): Promise<void> {
  const { id: refund_id, payment_id, invoice_id, currency } = refund
  const payment = payment_id === null ? undefined : await payments.of(ctx, payment_id)
  if (payment?.source !== 'credit_balance') return
  const amount = parseMoney(refund.amount, currency)
  await enterCredit(ctx, invoice, { kind: 'returned', amount, refund_id, payment_id, invoice_id })
}

function assertSameMoney(refund: Refund, { amount, currency }: RefundReport): void {
  const { id, amount: wanted, currency: known } = refund
  if ((amount === undefined || amount === wanted) && (currency === undefined || currency === known)) return
  throw new PermanentFailure(`refund ${id} is of ${wanted} ${known}, but the provider speaks of ${amount} ${currency}`)
}

/** A bank can return the money days later: the records stay, and staff have to pay the customer another way. */
function assertNotReturned({ id, status, amount, currency }: Refund, report: RefundReport): void {
  if (status === 'succeeded' && report.status === 'failed')
    throw new PermanentFailure(
      `refund ${id} had succeeded, but the provider says now that it failed: ${amount} ${currency} have ` +
        'not reached the customer',
    )
}

async function noteRefunded(ctx: OrganizationContext, refund: RefundOfInvoice): Promise<InvoiceRow> {
  const invoice = await invoices.forChange(ctx, refund.invoice_id)
  const { currency, amount_paid } = invoice
  const amount_refunded = added(invoice.amount_refunded, parseMoney(refund.amount, currency), currency)
  const isAll = amount_refunded === amount_paid && !allows(invoiceMoves.pay, invoice.status)
  const { events } = invoicesTable
  const values = isAll ? { amount_refunded, payment_status: 'refunded' as const } : { amount_refunded }
  return update(ctx, invoicesTable, invoice.id, values, isAll ? events.refunded : events.partly_refunded)
}

/**
 * Credits only what staff have not credited of the paid invoice before, so that nothing is credited twice; with it, in
 * proportion, the taxes that were kept back.
 */
async function creditRefund(ctx: OrganizationContext, refund: RefundOfInvoice, invoice: InvoiceRow): Promise<void> {
  const { currency, net_total, amount_paid, amount_refunded, amount_credited, withheld_credited } = invoice
  const minor = (amount: string) => parseMoney(amount, currency)
  const credited = minor(amount_credited) - minor(withheld_credited)
  const missing = minor(net_total) - minor(amount_paid) + minor(amount_refunded) - credited
  if (missing <= 0n) return
  const credit = creditOfNet(invoice, missing)
  await issueCreditNote(ctx, invoice, { ...credit, reason: refund.reason, refundId: refund.id })
}

async function endOrder(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  if (allows(orderMoves.refund, order.status)) await move(ctx, ordersTable, order.id, orderMoves.refund)
  await endEntitlementsSoldBy(ctx, order.id, 'refunded')
}
