// How an invoice stands at the payment provider becomes how it stands here. Money that came for something else is a dead
// letter for staff, never applied.
import { invoiceMoves, type InvoiceRow, invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { PaymentState } from '#ports/payments.ts'
import { customerOf } from './payment-customer.ts'
import { settleInvoice } from './settle-invoice.ts'

/** How the invoice stands at the payment provider now. */
type InvoiceState = Omit<Extract<PaymentState, { resource: 'invoice' }>, 'resource'> & {
  provider: string
  /** An attempt to pay it has. */
  hasFailed?: boolean
}

export async function settlePayment(ctx: OrganizationContext, id: number, state: InvoiceState): Promise<void> {
  const invoice = await invoices.forChange(ctx, id)
  // A checkout that another has taken the place of: only money that came through it matters.
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
function assertSameMoney(invoice: InvoiceRow, { amount, currency }: InvoiceState): void {
  const owed = { paid: invoice.amount_paid, void: invoice.total }
  const asked = invoice.status === 'paid' || invoice.status === 'void' ? owed[invoice.status] : invoice.amount_due
  if (amount !== asked || currency !== invoice.currency)
    throw new PermanentFailure(
      `invoice ${invoice.number} asks for ${asked} ${invoice.currency}, but ${amount} ${currency} was paid`,
    )
}

/** The same payment told twice has the same moment; another one is money that came twice, such as by bank before. */
function assertNotPaidTwice(invoice: InvoiceRow, { paidAt }: InvoiceState): void {
  if (invoice.status !== 'paid' || invoice.paid_at === null || paidAt === null) return
  if (Date.parse(invoice.paid_at) === Date.parse(paidAt)) return
  throw new PermanentFailure(
    `invoice ${invoice.number} was paid on ${invoice.paid_at} already and again on ${paidAt}: the second payment has to be given back by hand`,
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
