// A refund begins: the record, and at once or after approval the job that asks the provider for it.
import { insert } from '#kernel/changes.ts'
import { one, type OrganizationContext } from '#kernel/context.ts'
import { invalid } from '#kernel/errors.ts'
import { enqueue } from '#kernel/jobs.ts'
import { formatMoney, parseMoney } from '#kernel/money.ts'
import { refunds } from './queries.ts'
import { type RefundRow, refundsTable } from './refund.ts'

export type Refundable = {
  id: number
  order_id: number | null
  total: string
  currency: string
  payment_invoice_id: string | null
}

/** `amount` null: all that has not been given back. 422 when it is more than that, or nothing. */
export async function startRefund(
  ctx: OrganizationContext,
  invoice: Refundable,
  { amount, reason }: { amount: string | null; reason: string | null },
): Promise<RefundRow | null> {
  const { taken } = await one(ctx, refunds.takenOf(ctx, invoice.id))
  const left = parseMoney(invoice.total, invoice.currency) - (taken === null ? 0n : parseMoney(taken, invoice.currency))
  const wanted = amount === null ? left : parseMoney(amount, invoice.currency)
  if (amount === null && left === 0n) return null
  if (wanted <= 0n || wanted > left)
    throw invalid({ amount: `must be more than 0 and at most ${formatMoney(left, invoice.currency)}` })
  const isApproved = ctx.settings.refunds === 'automatic'
  const refund = await insert(ctx, refundsTable, {
    order_id: invoice.order_id ?? 0,
    invoice_id: invoice.id,
    status: 'processing',
    is_approved: isApproved,
    amount: formatMoney(wanted, invoice.currency),
    currency: invoice.currency,
    reason,
    requested_by: ctx.caller.userId,
  })
  if (isApproved) await enqueue(ctx, 'refunds/send', { refund_id: refund.id }, { key: `refund:${refund.id}` })
  return refund
}
