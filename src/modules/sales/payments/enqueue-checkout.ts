// The jobs that open, replace and close an invoice's checkout at the payment provider. They are enqueued in the
// transaction that needs them. Imports no area, since areas below this one enqueue them.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { Id, Line, Nullable } from '#kernel/values/schema.ts'

export const openCheckout = jobKind('payments/open-checkout', { invoice_id: Id }, { isUrgent: true })
export const replaceCheckout = jobKind(
  'payments/replace-checkout',
  { invoice_id: Id, reference: Line },
  { isUrgent: true },
)
/** `reference`: the checkout to close; null: the one that the invoice has when the job runs. */
export const closeCheckout = jobKind(
  'payments/close-checkout',
  { invoice_id: Id, reference: Nullable(Line) },
  { isUrgent: true },
)

/** `reference`: the open checkout whose codes are missing. */
export const fetchCodes = jobKind('payments/fetch-codes', { invoice_id: Id, reference: Line })

/** The key by which jobs about one invoice run one after the other. */
export const invoiceKey = (invoiceId: number): string => `invoice:${invoiceId}`

export const openCheckoutLater = (ctx: OrganizationContext, invoice_id: number): Promise<void> =>
  enqueue(ctx, openCheckout, { invoice_id }, { key: invoiceKey(invoice_id) })

export const closeCheckoutLater = (
  ctx: OrganizationContext,
  invoice_id: number,
  reference: string | null = null,
): Promise<void> => enqueue(ctx, closeCheckout, { invoice_id, reference }, { key: invoiceKey(invoice_id) })

export const fetchCodesLater = (ctx: OrganizationContext, invoice_id: number, reference: string): Promise<void> =>
  enqueue(ctx, fetchCodes, { invoice_id, reference }, { key: invoiceKey(invoice_id) })

/** The caller has removed the reference from the invoice, so that no customer gets the link with the old amount. */
export const replaceCheckoutLater = (ctx: OrganizationContext, invoice_id: number, reference: string): Promise<void> =>
  enqueue(ctx, replaceCheckout, { invoice_id, reference }, { key: invoiceKey(invoice_id) })
