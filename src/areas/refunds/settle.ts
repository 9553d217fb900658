// The provider's word on a refund. Once all is given back, the order is refunded and its entitlements end.
import { cancelEntitlementsOfOrder } from '#areas/entitlements/transitions.ts'
import { invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { orderMoves, ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { move, update } from '#kernel/changes.ts'
import { one, type OrganizationContext } from '#kernel/context.ts'
import { allows } from '#kernel/moves.ts'
import { parseMoney } from '#kernel/money.ts'
import { refunds } from './queries.ts'
import { refundMoves, refundsTable } from './refund.ts'

/** Late and repeated words change nothing. */
export async function settleRefund(
  ctx: OrganizationContext,
  id: number,
  status: 'processing' | 'succeeded' | 'failed',
): Promise<void> {
  const refund = await refunds.forChange(ctx, id)
  if (status === 'failed' && allows(refundMoves.fail, refund.status))
    await move(ctx, refundsTable, id, refundMoves.fail)
  if (status !== 'succeeded' || !allows(refundMoves.succeed, refund.status)) return
  await move(ctx, refundsTable, id, refundMoves.succeed)
  const invoice = await invoices.forChange(ctx, refund.invoice_id)
  const { succeeded } = await one(ctx, refunds.takenOf(ctx, invoice.id))
  if (parseMoney(succeeded ?? '0', refund.currency) < parseMoney(invoice.total, invoice.currency)) return
  await update(ctx, invoicesTable, invoice.id, { payment_status: 'refunded' }, 'refunded')
  const order = await orders.forChange(ctx, refund.order_id)
  if (allows(orderMoves.refund, order.status)) await move(ctx, ordersTable, order.id, orderMoves.refund)
  await cancelEntitlementsOfOrder(ctx, order.id)
}
