// POST /orders/{id}/subscription/cancel: a job asks the provider; one that the provider has not answered yet, or that
// nothing was paid for yet, ends at once.
import { ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { CANCELLED, hasEnded, type SubscriptionCancellation, UNPAID } from './subscription.ts'
import { cancelSubscription, subscriptionKey } from './subscription-jobs.ts'

export async function endSubscription(
  ctx: OrganizationContext,
  id: number,
  body: SubscriptionCancellation,
): Promise<void> {
  const { at = 'now' } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_ends_at: endsAt } = order
  if (hasEnded(order)) throw conflict('The order has no subscription to cancel')
  if (at === 'period_end' && endsAt !== null)
    throw conflict(`The subscription is cancelled already and ends at ${endsAt}`)
  if (order.subscription_reference === null)
    await update(ctx, ordersTable, id, { subscription_status: CANCELLED }, ordersTable.events.subscription_changed)
  else {
    const when = status === UNPAID ? 'now' : at
    await enqueue(ctx, cancelSubscription, { order_id: id, at: when }, { key: subscriptionKey(id) })
  }
}
