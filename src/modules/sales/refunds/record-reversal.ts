// A refund that nobody requested: the payer's bank has taken the payment back, so the provider is not asked for it.
import { type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { added } from '#modules/sales/invoices/sums.ts'
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { type Refund, refundsTable } from './refund.ts'
import { applyRefundState } from './apply-refund-state.ts'

/** At most what is refundable, which the caller has read from the locked invoice. */
export async function recordReversal(
  ctx: OrganizationContext,
  { id: invoice_id, order_id, currency, refund_reserved }: InvoiceRow,
  { amount, ...given }: { amount: bigint } & Pick<Refund, 'payment_id' | 'dispute_id' | 'reason'>,
): Promise<void> {
  await update(ctx, invoicesTable, invoice_id, { refund_reserved: added(refund_reserved, amount, currency) })
  const refund = await insert(ctx, refundsTable, {
    ...given,
    order_id,
    invoice_id,
    status: 'processing',
    is_approved: true,
    amount: formatMoney(amount, currency),
    currency,
    requested_by: null,
  })
  await applyRefundState(ctx, refund.id, { status: 'succeeded' })
}
