// The jobs that open and close an invoice's checkout at the payment provider, asked for in the transaction that wants it.
// The jobs themselves stand with the quotes, whose payment they settle (quotes/checkout.ts).
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'

const keyOf = (invoiceId: number) => ({ key: `invoice:${invoiceId}` })

export const openCheckoutLater = (ctx: OrganizationContext, invoiceId: number): Promise<void> =>
  enqueue(ctx, 'quotes/open-checkout', { invoice_id: invoiceId }, keyOf(invoiceId))

export const closeCheckoutLater = (
  ctx: OrganizationContext,
  invoiceId: number,
  /** Another than the invoice names by then. */
  reference: string | null = null,
): Promise<void> => enqueue(ctx, 'quotes/close-checkout', { invoice_id: invoiceId, reference }, keyOf(invoiceId))

/** The invoice has lost its reference already, so that nobody is sent to a page that asks for the old amount. */
export const replaceCheckoutLater = (ctx: OrganizationContext, invoiceId: number, reference: string): Promise<void> =>
  enqueue(ctx, 'quotes/replace-checkout', { invoice_id: invoiceId, reference }, keyOf(invoiceId))
