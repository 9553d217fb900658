// Payment confirmed (spec 3.1, 6): invoice paid, order processing, quote paid, in one transaction; the event of the
// quote starts the provisioning. Money that came for something else is parked for staff, never applied.
import { commissionLater } from '#areas/affiliates/enqueue-commission.ts'
import { invoiceMoves, type InvoiceRow, invoicesTable, OF_ORDER } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { orderMoves, ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import type { PaymentState } from '#ports/payments.ts'
import { zoneOf } from '#ports/ports.ts'
import { quotes } from './queries.ts'
import { quoteMoves, quotesTable } from './quote.ts'

/** `byProvider`: a refund goes back the same way. */
export type Receipt = { method: string | null; paidAt: Date; byProvider?: boolean }

/** Idempotent: an invoice that is paid already stays as it is. */
export async function settleInvoice(ctx: OrganizationContext, invoiceId: number, receipt: Receipt): Promise<void> {
  const invoice = await invoices.forChange(ctx, invoiceId)
  if (invoice.status === 'paid') return
  if (!allows(invoiceMoves.pay, invoice.status))
    throw new PermanentFailure(
      `invoice ${invoice.number} was paid but is ${invoice.status}: the money has to be given back by hand`,
    )
  await move(ctx, invoicesTable, invoiceId, invoiceMoves.pay, {
    paid_at: receipt.paidAt.toISOString(),
    payment_date: dayIn(receipt.paidAt, zoneOf(ctx, invoice.company)),
    payment_method: receipt.method,
    payment_status: 'paid',
    amount_paid: invoice.amount_due,
    is_paid_by_provider: receipt.byProvider === true,
  })
  if (invoice.order_id !== null && (await paysTheOrder(ctx, invoice, invoice.order_id)))
    await settleOrder(ctx, invoice.order_id, receipt, invoiceId)
}

/**
 * What was agreed on is the order's own invoice, not what staff billed beside it; once that is void, whatever staff wrote
 * in its place, to the last of it.
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
  await commissionLater(ctx, order, { invoice_id: invoiceId, is_new: true })
  const paid = {
    date_paid: receipt.paidAt.toISOString(),
    payment_method: receipt.method,
    payment_method_title: titleOf(receipt.method),
  }
  if (allows(orderMoves.process, order.status)) await move(ctx, ordersTable, orderId, orderMoves.process, paid)
  // Staff completed it before the money came: only the payment is noted.
  else await update(ctx, ordersTable, orderId, paid)
  if (order.quote_id === null) return
  const quote = await quotes.forChange(ctx, order.quote_id)
  // A renewal pays again for what was paid and provisioned long ago.
  if (allows(quoteMoves.pay, quote.status)) await move(ctx, quotesTable, order.quote_id, quoteMoves.pay)
}

const titleOf = (method: string | null): string | null =>
  method === null ? null : method.charAt(0).toUpperCase() + method.slice(1).replaceAll('_', ' ')

/** How the invoice stands at the payment provider now. */
type Standing = Extract<PaymentState, { resource: 'invoice' }>

export async function settle(ctx: OrganizationContext, id: number, state: Standing, hasFailed = false): Promise<void> {
  const invoice = await invoices.forChange(ctx, id)
  // A checkout that another has taken the place of: only money that came through it matters.
  if (state.status !== 'paid' && state.reference !== invoice.payment_invoice_id) return
  if (state.status === 'open') return hasFailed ? noteFailure(ctx, invoice) : undefined
  if (state.status === 'uncollectible') {
    if (allows(invoiceMoves.markUncollectible, invoice.status))
      await move(ctx, invoicesTable, id, invoiceMoves.markUncollectible)
    return
  }
  if (state.status === 'void') return assertNotVoid(invoice)
  assertSameMoney(invoice, state)
  await assertSameCustomer(ctx, invoice, state.customer)
  assertNotPaidTwice(invoice, state)
  await settleInvoice(ctx, id, {
    method: state.method,
    paidAt: state.paidAt === null ? ctx.now : new Date(state.paidAt),
    byProvider: true,
  })
}

/** Somebody voided it there: whether the customer shall owe it any longer is for a person to say. */
function assertNotVoid({ number, status }: InvoiceRow): void {
  if (allows(invoiceMoves.pay, status))
    throw new PermanentFailure(
      `invoice ${number} is ${status} but was voided at the provider, where nobody can pay it any more`,
    )
}

/** A failure that comes after the payment, or late, changes nothing. */
async function noteFailure(ctx: OrganizationContext, invoice: InvoiceRow): Promise<void> {
  if (invoice.status === 'open')
    await update(ctx, invoicesTable, invoice.id, { payment_status: 'failed' }, invoicesTable.events.payment_failed)
}

/** What it asks for after credit notes, or has asked for. */
function assertSameMoney(invoice: InvoiceRow, { amount, currency }: Standing): void {
  const owed = { paid: invoice.amount_paid, void: invoice.total }
  const asked = invoice.status === 'paid' || invoice.status === 'void' ? owed[invoice.status] : invoice.amount_due
  if (amount !== asked || currency !== invoice.currency)
    throw new PermanentFailure(
      `invoice ${invoice.number} asks for ${asked} ${invoice.currency}, but ${amount} ${currency} was paid`,
    )
}

/** The same payment told twice has the same moment; another one is money that came twice, such as by bank before. */
function assertNotPaidTwice(invoice: InvoiceRow, { paidAt }: Standing): void {
  if (invoice.status !== 'paid' || invoice.paid_at === null || paidAt === null) return
  if (Date.parse(invoice.paid_at) === Date.parse(paidAt)) return
  throw new PermanentFailure(
    `invoice ${invoice.number} was paid on ${invoice.paid_at} already and again on ${paidAt}: the second payment has to be given back by hand`,
  )
}

async function assertSameCustomer(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  customer: string | null,
): Promise<void> {
  const known = await invoices.customerOf(ctx, invoice.company)
  if (customer !== null && known !== null && customer !== known)
    throw new PermanentFailure(
      `invoice ${invoice.number} was paid by the provider’s customer ${customer}, who is not this organization’s`,
    )
}
