// POST /invoices/{id}/pay: records a payment made outside the provider.
import type { Static } from 'typebox'
import { type Invoice, invoiceMoves, type InvoicePayment } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict } from '#kernel/http/errors.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { closeCheckoutLater } from './enqueue-checkout.ts'
import { settleInvoice } from './settle-invoice.ts'

/** Closes the invoice's checkout too, so that nobody pays twice. */
export async function payByHand(
  ctx: OrganizationContext,
  id: number,
  body: Static<typeof InvoicePayment>,
): Promise<Invoice> {
  const { payment_method = 'offline', paid_at } = ownBody(ctx, body)
  const paidAt = paid_at === undefined ? ctx.now : new Date(paid_at)
  const invoice = await invoices.forChange(ctx, id)
  if (!allows(invoiceMoves.pay, invoice.status)) throw conflict(`An invoice that is ${invoice.status} cannot be paid`)
  await settleInvoice(ctx, id, { method: payment_method, paidAt })
  await closeCheckoutLater(ctx, id)
  return invoices.afterChange(ctx, id)
}
