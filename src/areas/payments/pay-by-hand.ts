// POST /invoices/{id}/pay: records a payment made outside the provider.
import type { Static } from 'typebox'
import { type Invoice, invoiceMoves, type InvoicePayment } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict, invalid } from '#kernel/http/errors.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { amountField } from '#kernel/values/amount-field.ts'
import { integrationOf } from '#kernel/values/integration.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { settleInvoice } from './settle-invoice.ts'

/** With an amount for an invoice that is paid or void, too: what came in is the customer's. */
export async function payByHand(
  ctx: OrganizationContext,
  id: number,
  body: Static<typeof InvoicePayment>,
): Promise<Invoice> {
  const { payment_method = 'offline', paid_at, ...given } = ownBody(ctx, body)
  const { status, currency } = await invoices.forChange(ctx, id)
  const isFinal = !allows(invoiceMoves.finalize, status)
  if (!isFinal || (given.amount === undefined && !allows(invoiceMoves.pay, status)))
    throw conflict('status_not_allowed', `An invoice that is ${status} cannot be paid`)
  const amount = given.amount === undefined ? null : amountField('amount', given.amount, currency)
  if (amount !== null && amount <= 0n) throw invalid({ amount: 'must be more than 0' })
  await settleInvoice(ctx, id, {
    method: payment_method,
    paidAt: paid_at === undefined ? ctx.now : new Date(paid_at),
    given: integrationOf(given),
    ...(amount !== null && { amount: formatMoney(amount, currency) }),
  })
  return invoices.afterChange(ctx, id)
}
