// Starts a refund: the record, and, at once or after approval, the job that asks the provider for it.
import { amountField } from '#kernel/values/amount-field.ts'
import { type InvoiceRow, invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { added, refundable } from '#areas/invoices/sums.ts'
import { orders } from '#areas/orders/queries.ts'
import { taxCorrectionsOf } from '#areas/tax-invoices/corrections.ts'
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/http/errors.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { type NewRefund, type Refund, type RefundStarted, refundsTable } from './refund.ts'
import { sendRefundLater } from './send-refund.ts'

/** Only a completed order is refunded on request; before that it is cancelled instead. */
const REFUNDED_FROM = 'completed'
/** In these, staff may refund what is left, for instance after a refund that failed. */
const OVER: readonly string[] = ['cancelled', 'refunded']

/** POST /orders/{id}/refund. Of several paid invoices it refunds the first that has enough left, of periods the latest. */
export async function refundOrder(ctx: OrganizationContext, orderId: number, body: NewRefund): Promise<RefundStarted> {
  const { amount, reason = null, tax_invoice_action: action = null } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, orderId)
  const paid = (await invoices.ofOrderForChange(ctx, orderId))
    .filter(({ status }) => status === 'paid')
    .toSorted(latestPeriodFirst)
  const isLeft = ctx.caller.staff && OVER.includes(order.status) && paid.some((one) => refundable(one) > 0n)
  if (order.status !== REFUNDED_FROM && !isLeft) throw conflict(`An order that is ${order.status} cannot be refunded`)
  const wanted = amount === undefined ? null : amountField('amount', amount, order.currency)
  const invoice = paid.find((one) => refundable(one) > 0n && refundable(one) >= (wanted ?? 0n))
  const most = paid.reduce((found, one) => (refundable(one) > found ? refundable(one) : found), 0n)
  if (!invoice || wanted === 0n) throw tooMuch(most, order.currency)
  const left = refundable(invoice)
  const isWhole = wanted === null || wanted === left
  if (!isWhole) assertNoCancelling(action)
  const refund = await startRefund(ctx, invoice, { amount: wanted ?? left, reason, action })
  const tax_invoices = await taxCorrectionsOf(ctx, invoice.id, { isWhole })
  return { refund_id: refund.id, amount: refund.amount, status: refund.status, tax_invoices }
}

/** Time is taken back from its end. Invoices without a period keep their order, and come last. */
const latestPeriodFirst = (one: InvoiceRow, other: InvoiceRow): number =>
  Date.parse(other.period_end ?? EARLIEST) - Date.parse(one.period_end ?? EARLIEST)
const EARLIEST = '0001-01-01'

/** Refunds all that is not refunded yet, if anything is left. */
export async function refundRest(ctx: OrganizationContext, invoice: InvoiceRow, reason: string): Promise<void> {
  const amount = refundable(invoice)
  if (amount > 0n) await startRefund(ctx, invoice, { amount, reason, action: null })
}

async function startRefund(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  { amount, reason, action }: { amount: bigint; reason: string | null; action: Refund['tax_invoice_action'] },
): Promise<Refund> {
  const { currency, order_id } = invoice
  assertNotDisputed(invoice)
  if (amount <= 0n || amount > refundable(invoice)) throw tooMuch(refundable(invoice), currency)
  if (order_id === null) throw conflict('Only the invoice of an order can be refunded')
  const isApproved = ctx.settings.refunds === 'automatic'
  const refund_reserved = added(invoice.refund_reserved, amount, currency)
  await update(ctx, invoicesTable, invoice.id, { refund_reserved })
  const refund = await insert(ctx, refundsTable, {
    order_id,
    invoice_id: invoice.id,
    status: 'processing',
    is_approved: isApproved,
    amount: formatMoney(amount, currency),
    currency,
    reason,
    requested_by: ctx.caller.userId,
    tax_invoice_action: action,
  })
  if (isApproved) await sendRefundLater(ctx, refund.id)
  return refund
}

/** The bank decides whether the customer gets the money back; both at once would pay it twice. */
export function assertNotDisputed({ number, dispute_status }: InvoiceRow): void {
  if (dispute_status === 'open') throw conflict(`The payment of invoice ${number} is disputed: the bank decides`)
}

/** A tax invoice of which a part remains is substituted by one about the rest. */
export function assertNoCancelling(action: Refund['tax_invoice_action']): void {
  if (action === 'cancel')
    throw invalid({ tax_invoice_action: 'can be cancel only when nothing is left of the invoice' })
}

const tooMuch = (left: bigint, currency: string) =>
  invalid({ amount: `must be more than 0 and at most ${formatMoney(left, currency)}` })
