// What a change in the shop means for an order of ours, as far as our table of moves allows it (docs/commerce.md).
import { invoiceMoves, OF_ORDER } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { creditOfDue } from '#modules/sales/invoices/withheld-of-credit.ts'
import { type OrderRow, type OrderStatus, ordersTable, STATUSES } from '#modules/sales/orders/order.ts'
import { changeOrderStatus, endImportedOrder } from '#modules/sales/payments/cancel-order.ts'
import { payByHand } from '#modules/sales/payments/pay-by-hand.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { AppError } from '#kernel/values/errors.ts'
import { formatMoney } from '#kernel/values/money.ts'
import type { PlatformOrder } from '#ports/commerce.ts'
import { isPaidStatus, paymentFields, provisionLater } from './provision-imported.ts'

/** Null if ours follows; else why it does not, for staff. */
export async function applyShopState(
  ctx: OrganizationContext,
  order: OrderRow,
  there: PlatformOrder,
  isImported: boolean,
): Promise<string | null> {
  const status = STATUSES.find((one) => one === there.status)
  if (status === undefined) return `The shop’s status ${there.status} is none that orders have here`
  if (isImported) return applyToImported(ctx, order, status, there)
  if (isPaidStatus(status) && order.date_paid === null) return recordPayment(ctx, order, there)
  return applyToCopy(ctx, order, status)
}

/** The shop is where an imported order was sold, so whatever happens to it there counts. */
async function applyToImported(
  ctx: OrganizationContext,
  order: OrderRow,
  status: OrderStatus,
  there: PlatformOrder,
): Promise<string | null> {
  const problem = await moved(order, status, () =>
    status === 'cancelled' ? endImportedOrder(ctx, order) : changeOrderStatus(ctx, order.id, { status }),
  )
  if (problem !== null || !isPaidStatus(status)) return problem
  if (order.date_paid === null) await update(ctx, ordersTable, order.id, paymentFields(there))
  await provisionLater(ctx, order.id)
  return null
}

/** A payment that the shop took, or that its staff recorded there, counts like one that staff record here. */
async function recordPayment(ctx: OrganizationContext, order: OrderRow, there: PlatformOrder): Promise<string | null> {
  const { total, currency, paidAt, paymentMethod } = there
  if (paidAt === null) return `The shop’s status is ${there.status}, but it names no payment`
  const billed = await invoices.ofOrderForChange(ctx, order.id)
  const invoice = billed.find(({ origin, status }) => origin === OF_ORDER && allows(invoiceMoves.pay, status))
  if (!invoice) return `The shop says that it was paid, but the order is ${order.status} here and owes nothing`
  // The shop knows nothing of taxes that the customer may keep back: it takes the whole amount.
  const asked = formatMoney(creditOfDue(invoice).amount, invoice.currency)
  if (asked !== total || invoice.currency !== currency)
    return `The shop says that ${total} ${currency} were paid, but the invoice asks for ${asked} ${invoice.currency}`
  // The shop’s clock may be ahead.
  const paid_at = new Date(Math.min(paidAt.getTime(), ctx.now.getTime())).toISOString()
  await payByHand(ctx, invoice.id, {
    ...(total !== invoice.amount_due && { amount: total }),
    payment_method: paymentMethod ?? 'shop',
    paid_at,
  })
  return null
}

/** Nothing that moves money follows from a click in the shop: staff do that here. */
async function applyToCopy(ctx: OrganizationContext, order: OrderRow, status: OrderStatus): Promise<string | null> {
  if (status === 'refunded') return 'The order was refunded in the shop; a refund that pays money back is made here'
  if (status === 'cancelled' && order.date_paid !== null)
    return 'The order was cancelled in the shop, but it is paid: cancelling it here pays the money back'
  return moved(order, status, () => changeOrderStatus(ctx, order.id, { status }))
}

async function moved(order: OrderRow, status: OrderStatus, move: () => Promise<unknown>): Promise<string | null> {
  if (order.status === status) return null
  try {
    await move()
    return null
  } catch (error) {
    // Thrown before anything was written.
    if (error instanceof AppError && error.code === 'CONFLICT') return `In the shop it is ${status}. ${error.message}`
    throw error
  }
}
