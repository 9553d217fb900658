// The amount of an invoice that is refunded or reserved for refunds, stored on the invoice by every change of a refund:
// a constraint on it keeps two refunds at once from exceeding what was paid. What is refunded of a credit balance has
// left it.
import { balanceAt, creditBalanceForChange, enterCredit } from '#modules/sales/credit-balances/change-credit-balance.ts'
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { added, refundable } from '#modules/sales/invoices/sums.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { isOfInvoice, type Refund } from './refund.ts'

/** For a refund that failed or was rejected. */
export const releaseReserved = (ctx: OrganizationContext, refund: Refund): Promise<void> => reserve(ctx, refund, -1n)

/** For a refund that had failed and then succeeded. A dead letter if too little is left. */
export async function reserveAgain(ctx: OrganizationContext, refund: Refund): Promise<void> {
  if (parseMoney(refund.amount, refund.currency) > (await leftFor(ctx, refund)))
    throw new PermanentFailure(
      `refund ${refund.id} had failed and succeeded after all, but its money has been refunded or used ` +
        'otherwise: more was refunded than was paid',
    )
  await reserve(ctx, refund, 1n)
}

/** What can still be refunded of the refund's invoice or credit balance; nothing of a payment that was moved away. */
export async function leftFor(ctx: OrganizationContext, refund: Refund): Promise<bigint> {
  const payment = refund.payment_id === null ? undefined : await payments.of(ctx, refund.payment_id)
  if (payment && payment.moved_at !== null) return 0n
  if (isOfInvoice(refund)) return refundable(await invoices.forChange(ctx, refund.invoice_id))
  return balanceAt(ctx, await creditBalanceForChange(ctx, refund.credit_balance_id ?? 0))
}

async function reserve(ctx: OrganizationContext, refund: Refund, sign: bigint): Promise<void> {
  const { id: refund_id, currency } = refund
  const change = sign * parseMoney(refund.amount, currency)
  if (!isOfInvoice(refund)) {
    const held = await creditBalanceForChange(ctx, refund.credit_balance_id ?? 0)
    const kind = sign < 0n ? 'refund_ended' : 'refunded'
    await enterCredit(ctx, held, { kind, amount: -change, refund_id })
    return
  }
  const invoice = await invoices.forChange(ctx, refund.invoice_id)
  await update(ctx, invoicesTable, invoice.id, {
    refund_reserved: added(invoice.refund_reserved, change, currency),
  })
}
