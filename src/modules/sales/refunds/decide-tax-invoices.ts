// PATCH /refunds/{id}: staff decide what happens to the tax invoices, also after the refund has succeeded: a refund by
// the payer's bank has succeeded when it is recorded.
import { invoices } from '#modules/sales/invoices/queries.ts'
import { cancelRefundedLater } from '#modules/sales/tax-invoices/cancel-voided.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { refunds } from './queries.ts'
import { isOfInvoice, type Refund, type RefundChange, refundsTable } from './refund.ts'
import { leftFor } from './reserved-amounts.ts'
import { assertNoCancelling } from './start-refund.ts'

export async function decideTaxInvoices(ctx: OrganizationContext, id: number, body: RefundChange): Promise<Refund> {
  const { tax_invoice_action, ...given } = ownBody(ctx, body)
  const refund = await refunds.forChange(ctx, id)
  if (tax_invoice_action === undefined) return update(ctx, refundsTable, id, given)
  const { status, tax_invoice_action: before } = refund
  if (status === 'failed' || status === 'rejected')
    throw conflict('status_not_allowed', `A refund that is ${status} leaves the tax invoices as they are`)
  if (tax_invoice_action === before) return update(ctx, refundsTable, id, given)
  const isAll = await isOfAll(ctx, refund)
  if (status === 'succeeded' && before === 'cancel' && isAll)
    throw conflict('already_in_progress', 'The authority is being asked already')
  if (!isAll) assertNoCancelling(tax_invoice_action)
  const decided = await update(ctx, refundsTable, id, { ...given, tax_invoice_action })
  if (tax_invoice_action === 'cancel' && status === 'succeeded' && isOfInvoice(refund))
    await cancelRefundedLater(ctx, refund.invoice_id)
  return decided
}

/** Whether all that was paid for the invoice is refunded, or will be when the refunds in progress have succeeded. */
async function isOfAll(ctx: OrganizationContext, refund: Refund): Promise<boolean> {
  if (!isOfInvoice(refund)) return false
  if (refund.status === 'processing') return (await leftFor(ctx, refund)) === 0n
  return (await invoices.forChange(ctx, refund.invoice_id)).payment_status === 'refunded'
}
