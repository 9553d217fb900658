// What the bank has taken of an invoice by lost disputes is refunded here: credit note, order, entitlements,
// commission. No more than was paid: what a refund under way has reserved is reversed only when that has failed.
import { invoices } from '#modules/sales/invoices/queries.ts'
import { refundable } from '#modules/sales/invoices/sums.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import { rejectRefund } from '#modules/sales/refunds/decide-refund.ts'
import { recordReversal } from '#modules/sales/refunds/record-reversal.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { reportOverRefund } from './dispute-jobs.ts'
import { disputes, type LostDispute } from './queries.ts'

/** Again it changes nothing, unless more of the invoice can be refunded since. */
export async function reverseLost(ctx: OrganizationContext, invoiceId: number): Promise<void> {
  const lost = (await disputes.lost(ctx, invoiceId)).filter((one) => restOf(one) > 0n)
  if (lost.length === 0) return
  for (const { id, is_approved } of await disputes.refundsUnderWay(ctx, invoiceId))
    if (!is_approved) await rejectRefund(ctx, id, { reason: 'The bank has taken the payment back' })
  for (const dispute of lost) await reverse(ctx, dispute)
}

const restOf = ({ rest, currency }: LostDispute): bigint => parseMoney(rest, currency)

async function reverse(ctx: OrganizationContext, dispute: LostDispute): Promise<void> {
  const invoice = await invoices.forChange(ctx, dispute.invoice_id)
  const rest = restOf(dispute)
  const amount = [await leftOf(ctx, dispute), refundable(invoice)].reduce(least, rest)
  const { id: dispute_id, payment_id } = dispute
  if (amount > 0n) await recordReversal(ctx, invoice, { amount, payment_id, dispute_id, reason: reasonOf(dispute) })
  if (amount === rest || (await disputes.refundsUnderWay(ctx, invoice.id)).length > 0) return
  await enqueue(ctx, reportOverRefund, { dispute_id: dispute.id })
}

/** What no refund has taken of the payment's part for the invoice. */
async function leftOf(ctx: OrganizationContext, { invoice_id, payment_id, currency }: LostDispute): Promise<bigint> {
  const found = (await payments.refundable(ctx, invoice_id)).find(({ id }) => id === payment_id)
  return found ? parseMoney(found.left, currency) : 0n
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const reasonOf = ({ reference }: LostDispute): string => `Dispute ${reference} lost`
