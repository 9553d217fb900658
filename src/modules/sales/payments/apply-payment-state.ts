// Applies the state of an invoice at the payment provider to ours. A payment in another currency or by another customer
// becomes a dead letter for staff and changes nothing; one of another amount is the customer's money and counts.
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
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

export async function applyPaymentState(ctx: OrganizationContext, id: number, state: InvoiceState): Promise<void> {
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
  assertSameCurrency(invoice, state)
  await assertSameCustomer(ctx, invoice, state)
  const { method, amount, provider, reference } = state
  // With a test clock the provider’s time is not that of the organization.
  const paidAt = state.paidAt === null || ctx.testClock ? null : new Date(state.paidAt)
  await settleInvoice(ctx, id, { method, paidAt, amount, at: { provider, reference } })
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

function assertSameCurrency(invoice: InvoiceRow, { amount, currency }: InvoiceState): void {
  if (currency !== invoice.currency)
    throw new PermanentFailure(
      `invoice ${invoice.number} asks for ${invoice.currency}, but ${amount} ${currency} was paid`,
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
