// Another amount of an open invoice is due, or on another day: its checkout is replaced by one for that
// (docs/billing.md, Why it is so).
import { openCheckoutLater, replaceCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type InvoiceRow, invoicesTable } from './invoice.ts'

type WithCheckout = Pick<InvoiceRow, 'id' | 'payment_invoice_id'>

/** `isUsed`: the checkout was paid, so that there is nothing to close. */
export async function replaceCheckout(ctx: OrganizationContext, invoice: WithCheckout, isUsed = false): Promise<void> {
  const { id, payment_invoice_id: open } = invoice
  if (open === null) return
  await update(ctx, invoicesTable, id, {
    payment_invoice_id: null,
    link: null,
    payment_codes: null,
    payment_codes_until: null,
  })
  await (isUsed ? openCheckoutLater(ctx, id) : replaceCheckoutLater(ctx, id, open))
}
