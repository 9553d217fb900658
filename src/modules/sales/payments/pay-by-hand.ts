// POST /invoices/{id}/pay: records a payment made outside the provider.
import type { Static } from 'typebox'
import { type Invoice, invoiceMoves, type InvoicePayment, type InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { soldOn } from '#modules/sales/invoices/sold-on.ts'
import type { OrganizationContext, Settings } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { integrationOf } from '#kernel/values/integration.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { zoneOf } from '#ports/ports.ts'
import type { BroughtPayment } from './payment.ts'
import { payments } from './payment-records.ts'
import type { Receipt } from './record-payment.ts'
import { settleInvoice } from './settle-invoice.ts'

/** With an amount, also for an invoice that is paid or void: the money goes to the credit balance. */
export async function payByHand(
  ctx: OrganizationContext,
  id: number,
  body: Static<typeof InvoicePayment>,
  more: Pick<Receipt, 'imported'> = {},
): Promise<Invoice> {
  const { payment_method = 'offline', paid_at, ...given } = ownBody(ctx, body)
  const invoice = await invoices.forChange(ctx, id)
  const { status, currency } = invoice
  assertFinal(invoice)
  if (given.amount === undefined && !allows(invoiceMoves.pay, status)) throw notPayable(invoice)
  const amount = given.amount === undefined ? null : amountField('amount', given.amount, currency)
  if (amount !== null && amount <= 0n) throw invalid({ amount: 'must be more than 0' })
  if (paid_at !== undefined && isBefore(ctx, invoice, new Date(paid_at)))
    throw invalid({ paid_at: `must not be before ${soldOn(ctx, invoice)}, the day of the invoice; ${IN_ADVANCE}` })
  await settleInvoice(ctx, id, {
    method: payment_method,
    paidAt: paid_at === undefined ? ctx.now : new Date(paid_at),
    given: integrationOf(given),
    ...more,
    ...(amount !== null && { amount: formatMoney(amount, currency) }),
  })
  return invoices.afterChange(ctx, id)
}

/** A payment that another system had recorded; gives its id. */
export async function bringPayment(
  ctx: OrganizationContext,
  invoiceId: number,
  { reference, ...body }: BroughtPayment,
): Promise<number> {
  await payByHand(ctx, invoiceId, body, { imported: { reference: reference ?? null } })
  return (await payments.latestOf(ctx, invoiceId)).id
}

export const IN_ADVANCE = 'earlier money is a payment in advance'

const notPayable = ({ status }: Pick<InvoiceRow, 'status'>) =>
  conflict('status_not_allowed', `An invoice that is ${status} cannot be paid`)

export function assertFinal(invoice: Pick<InvoiceRow, 'status'>): void {
  if (allows(invoiceMoves.finalize, invoice.status)) throw notPayable(invoice)
}

/** Whether the money came in before the day of the invoice. */
export const isBefore = (
  at: { settings: Settings },
  invoice: Pick<InvoiceRow, 'company' | 'issue_date' | 'finalized_at'>,
  paidAt: Date,
): boolean => dayIn(paidAt, zoneOf(at, invoice.company)) < soldOn(at, invoice)
