// Applies the state of an invoice at the payment provider to ours. A payment that does not match the invoice becomes a
// dead letter for staff and changes nothing.
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { move, update } from '#kernel/data/changes.ts'
import { hasTestClock, type OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { PaymentState } from '#ports/payments.ts'
import { customerOf } from './payment-customer.ts'
import { settleInvoice } from './settle-invoice.ts'

/** The state of the invoice at the payment provider now. */
type InvoiceState = Omit<Extract<PaymentState, { resource: 'invoice' }>, 'resource'> & {
  provider: string
  /** An attempt to pay it failed. */
  hasFailed?: boolean
}

export async function settlePayment(ctx: OrganizationContext, id: number, state: InvoiceState): Promise<void> {
  const invoice = await invoices.forChange(ctx, id)
  // Of a checkout that was replaced by another only a payment counts.
  if (state.status !== 'paid' && state.reference !== invoice.payment_invoice_id) return
  if (state.status === 'open') return state.hasFailed ? noteFailure(ctx, invoice) : undefined
  if (state.status === 'uncollectible') {
    if (allows(invoiceMoves.markUncollectible, invoice.status))
      await move(ctx, invoicesTable, id, invoiceMoves.markUncollectible)
    return
  }
  if (state.status === 'void') return assertNotVoid(invoice)
  assertSameMoney(invoice, state)
  await assertSameCustomer(ctx, invoice, state)
  if (!hasTestClock(ctx)) assertNotPaidTwice(invoice, state)
  await settleInvoice(ctx, id, {
    method: state.method,
    paidAt: state.paidAt === null || hasTestClock(ctx) ? ctx.now : new Date(state.paidAt),
    byProvider: true,
  })
}

/** Voided at the provider but owed here: staff decide whether the customer still owes it. */
function assertNotVoid({ number, status }: InvoiceRow): void {
  if (allows(invoiceMoves.pay, status))
    throw new PermanentFailure(
      `invoice ${number} is ${status} but was voided at the provider, where nobody can pay it any more`,
    )
}

/** A failure that is reported after the payment changes nothing. */
async function noteFailure(ctx: OrganizationContext, invoice: InvoiceRow): Promise<void> {
  if (invoice.status === 'open')
    await update(ctx, invoicesTable, invoice.id, { payment_status: 'failed' }, invoicesTable.events.payment_failed)
}

/** The amount due after credit notes; for a paid or void invoice the amount that was paid or billed. */
function assertSameMoney(invoice: InvoiceRow, { amount, currency }: InvoiceState): void {
  const owed = { paid: invoice.amount_paid, void: invoice.total }
  const asked = invoice.status === 'paid' || invoice.status === 'void' ? owed[invoice.status] : invoice.amount_due
  if (amount !== asked || currency !== invoice.currency)
    throw new PermanentFailure(
      `invoice ${invoice.number} asks for ${asked} ${invoice.currency}, but ${amount} ${currency} was paid`,
    )
}

/**
 * One payment reported twice has one time; another time is a second payment, for instance after one by bank transfer.
 */
function assertNotPaidTwice(invoice: InvoiceRow, { paidAt }: InvoiceState): void {
  if (invoice.status !== 'paid' || invoice.paid_at === null || paidAt === null) return
  if (Date.parse(invoice.paid_at) === Date.parse(paidAt)) return
  throw new PermanentFailure(
    `invoice ${invoice.number} was paid on ${invoice.paid_at} already and again on ${paidAt}: the second payment has to be refunded by hand`,
  )
}

async function assertSameCustomer(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  { customer, provider }: InvoiceState,
): Promise<void> {
  const known = await customerOf(ctx, invoice.company, provider)
  if (customer !== null && known !== null && customer !== known)
    throw new PermanentFailure(
      `invoice ${invoice.number} was paid by the provider’s customer ${customer}, who is not this organization’s`,
    )
}
