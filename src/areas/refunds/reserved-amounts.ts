// The amount of an invoice that is refunded or reserved for refunds, stored on the invoice by every change of a refund:
// a constraint on it keeps two refunds at once from exceeding what was paid.
import { invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { added, refundable } from '#areas/invoices/sums.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import type { Refund } from './refund.ts'

/** For a refund that failed or was rejected. */
export const releaseReserved = (ctx: OrganizationContext, refund: Refund): Promise<void> => reserve(ctx, refund, -1n)

/** For a refund that had failed and then succeeded. A dead letter if too little is left. */
export async function reserveAgain(ctx: OrganizationContext, refund: Refund): Promise<void> {
  const invoice = await invoices.forChange(ctx, refund.invoice_id)
  if (parseMoney(refund.amount, refund.currency) > refundable(invoice))
    throw new PermanentFailure(
      `refund ${refund.id} had failed and succeeded after all, but invoice ${invoice.number} has been refunded otherwise: more was refunded than was paid`,
    )
  await reserve(ctx, refund, 1n)
}

async function reserve(ctx: OrganizationContext, refund: Refund, sign: bigint): Promise<void> {
  const invoice = await invoices.forChange(ctx, refund.invoice_id)
  const change = sign * parseMoney(refund.amount, refund.currency)
  await update(ctx, invoicesTable, invoice.id, {
    refund_reserved: added(invoice.refund_reserved, change, invoice.currency),
  })
}
