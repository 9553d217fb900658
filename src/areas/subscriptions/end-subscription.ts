// POST /orders/{id}/subscription/cancel: a job asks the provider; one that the provider has not answered yet ends at
// once.
import { ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { CANCELLED, hasEnded } from './subscription.ts'
import { cancelSubscription, subscriptionKey } from './subscription-jobs.ts'

export async function endSubscription(ctx: OrganizationContext, id: number): Promise<void> {
  const order = await orders.forChange(ctx, id)
  if (hasEnded(order)) throw conflict('The order has no subscription to cancel')
  if (order.subscription_reference === null)
    await update(ctx, ordersTable, id, { subscription_status: CANCELLED }, ordersTable.events.subscription_changed)
  else await enqueue(ctx, cancelSubscription, { order_id: id }, { key: subscriptionKey(id) })
}
