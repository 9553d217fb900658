// After a payment: the checkout of the invoice is replaced by one for the rest, or closed, so that nobody pays twice.
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import { replaceCheckout } from '#modules/sales/invoices/replace-checkout.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { closeCheckoutLater, openCheckoutLater } from './enqueue-checkout.ts'
import type { Receipt } from './record-payment.ts'

/** `invoice`: as it was before the payment. */
export async function applyCheckoutState(
  ctx: OrganizationContext,
  { id, payment_invoice_id: open, payment_codes }: Pick<InvoiceRow, 'id' | 'payment_invoice_id' | 'payment_codes'>,
  { at }: Pick<Receipt, 'at'>,
  { isPaid }: { isPaid: boolean },
): Promise<void> {
  const isUsed = at !== undefined && at.reference === open
  // The payment came through a checkout that had been replaced, and the new one may not be open yet.
  if (open === null) return at === undefined || isPaid ? undefined : openCheckoutLater(ctx, id)
  // The codes of a checkout that was paid have to end too.
  if (isPaid) return isUsed && payment_codes === null ? undefined : closeCheckoutLater(ctx, id, open)
  await replaceCheckout(ctx, { id, payment_invoice_id: open }, isUsed)
}
