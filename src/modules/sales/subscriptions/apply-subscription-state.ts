// Applies the state of a subscription at the payment provider to the order, if the order's moves allow it (spec 6.2).
import { type OrderRow, type OrderStatus, orderMoves } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { moveOrder } from '#modules/sales/orders/move-order.ts'
import { endOrder } from '#modules/sales/payments/cancel-order.ts'
import { customerOf } from '#modules/sales/payments/payment-customer.ts'
import { unknownReferences } from '#modules/sales/payments/payment-references.ts'
import { isBeingDelivered } from '#modules/sales/quotes/provision-order.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import { changeSubscription, endWithSubscription } from './paid-periods.ts'
import { NOT_CANCELLED } from './self-service.ts'
import { ORDER_STATUS, PAUSED } from './subscription.ts'
import { billSubscription, cancelSubscription, reportUnknownStatus, subscriptionKey } from './subscription-jobs.ts'

type SubscriptionState = {
  provider: string
  reference: string
  status: string
  customer: string | null
  endsAt: string | null
  paidInvoices: string[]
}

/**
 * Ignores a subscription that is not the order's current one. `isBilled`: the jobs that bill what was paid have run.
 */
export async function applySubscriptionState(
  ctx: OrganizationContext,
  orderId: number,
  state: SubscriptionState,
  isBilled = false,
): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  if (order.subscription_reference !== state.reference) return
  const known = await customerOf(ctx, order.company, state.provider)
  if (state.customer !== null && known !== null && state.customer !== known)
    throw new PermanentFailure(
      `order ${order.number}: its subscription belongs to the customer ${state.customer}, not ${known}`,
    )
  const isBilling = !isBilled && (await billLater(ctx, order, state))
  const changed = {
    subscription_status: state.status,
    subscription_ends_at: state.endsAt,
    // Taken back or resumed, here or at the provider.
    ...(order.subscription_ends_at !== null && state.endsAt === null && NOT_CANCELLED),
    ...(order.subscription_status === PAUSED && state.status !== PAUSED && { subscription_paused_by: null }),
  }
  const remember = () => changeSubscription(ctx, orderId, changed)
  // Only a changed status moves the order, so that staff's changes since the last one stay.
  if (order.subscription_status === state.status) {
    if (order.subscription_ends_at !== state.endsAt) await remember()
    return
  }
  const status = ORDER_STATUS[state.status]
  // Ending the order before its payments are billed and delivered would leave the customer without what was paid for.
  if (status === orderMoves.endWithSubscription.to) {
    if (isBilling) return refreshAgain(ctx, orderId)
    if (await isBeingDelivered(ctx, order)) return refreshAgain(ctx, orderId, DELIVERY_SECONDS)
  }
  await remember()
  if (status === undefined) return enqueue(ctx, reportUnknownStatus, { order_id: orderId, status: state.status })
  if (!mayBecome(order, status)) return
  if (status !== orderMoves.endWithSubscription.to) return void (await moveOrder(ctx, order, status, null))
  await endOrder(ctx, order)
  await endWithSubscription(ctx, order)
}

const DELIVERY_SECONDS = 60

/** Runs after the jobs of the same subscription that are enqueued already. */
const refreshAgain = (ctx: OrganizationContext, order_id: number, afterSeconds = 0): Promise<void> =>
  enqueue(ctx, cancelSubscription, { order_id, is_billed: true }, { key: subscriptionKey(order_id), afterSeconds })

const mayBecome = (order: OrderRow, status: OrderStatus): boolean =>
  Object.values(orderMoves).some((one) => one.to === status && allows(one, order.status))

/**
 * Enqueues the billing of paid invoices that we have no record of, since their events may be lost; oldest first. True
 * if there are any.
 */
async function billLater(
  ctx: OrganizationContext,
  { id: order_id, company }: OrderRow,
  { provider, paidInvoices }: SubscriptionState,
): Promise<boolean> {
  const at = { company, provider }
  const unknown = await unknownReferences(ctx, at, paidInvoices.toReversed())
  for (const reference of unknown)
    await enqueue(ctx, billSubscription, { order_id, ...at, reference }, { key: subscriptionKey(order_id) })
  return unknown.length > 0
}
