// Takes back an invoice of what will not be delivered: it becomes void, and what was paid of it in part is refunded.
import { invoiceMoves, type InvoiceRow, invoicesTable, OF_SUBSCRIPTION } from '#modules/sales/invoices/invoice.ts'
import { refundable } from '#modules/sales/invoices/sums.ts'
import { voidInvoice } from '#modules/sales/invoices/void-invoice.ts'
import { refundsTable } from '#modules/sales/refunds/refund.ts'
import { refundRest } from '#modules/sales/refunds/start-refund.ts'
import { assertMayCause } from '#kernel/data/acts.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'

/** False for one that is paid or void already. */
export async function withdrawInvoice(ctx: OrganizationContext, invoice: InvoiceRow, reason: string): Promise<boolean> {
  if (!allows(invoiceMoves.void, invoice.status)) return false
  // The bank decides about a disputed payment. Staff find in the queue what is left of it afterwards.
  if (invoice.dispute_status !== 'open') await refundRest(ctx, invoice, reason)
  await voidInvoice(ctx, invoice)
  return true
}

/** 403 if the caller, for whom a job will withdraw the invoice later, may not void or refund it. */
export function assertMayWithdraw(ctx: OrganizationContext, invoice: InvoiceRow): void {
  if (!allows(invoiceMoves.void, invoice.status)) return
  assertMayCause(ctx, invoicesTable, invoicesTable.events.voided)
  if (refundable(invoice) > 0n) assertMayCause(ctx, refundsTable, refundsTable.events.created)
}

/** A renewal of a period that begins at `from` or later: nothing of it has been used. */
export const isToCome = ({ origin, period_start }: InvoiceRow, from: Date): boolean =>
  origin === OF_SUBSCRIPTION && period_start !== null && new Date(period_start) >= from
