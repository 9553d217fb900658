// POST /orders/{id}/subscription/cancel: a job asks the provider; one that the provider has not answered yet, or that
// nothing was paid for yet, ends at once. What the service itself bills it ends itself.
import { type OrderRow, ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import type { CancellationTime } from '#ports/payments.ts'
import { endBilling, voidRenewals } from './end-billing.ts'
import { changeSubscription, paidUntil } from './paid-periods.ts'
import { CANCELLED, hasEnded, type SubscriptionCancellation, TRIALING, UNPAID } from './subscription.ts'
import { cancelSubscription, subscriptionKey } from './subscription-jobs.ts'

export async function endSubscription(
  ctx: OrganizationContext,
  id: number,
  body: SubscriptionCancellation,
): Promise<void> {
  const { at = 'now' } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_ends_at: endsAt } = order
  if (hasEnded(order)) throw conflict('no_subscription', 'The order has no subscription to cancel')
  if (at === 'period_end' && endsAt !== null)
    throw conflict('subscription_ending', `The subscription is cancelled already and ends at ${endsAt}`)
  if (order.subscription_anchor !== null) await endOurs(ctx, order, at)
  else if (order.subscription_reference === null)
    await update(ctx, ordersTable, id, { subscription_status: CANCELLED }, ordersTable.events.subscription_changed)
  else {
    const when = status === UNPAID ? 'now' : at
    await enqueue(ctx, cancelSubscription, { order_id: id, at: when }, { key: subscriptionKey(id) })
  }
}

/** At the end of what is paid, or of the trial: nobody owes what comes after it. At once if that has passed. */
async function endOurs(ctx: OrganizationContext, order: OrderRow, at: CancellationTime): Promise<void> {
  const trialEnd = order.subscription_status === TRIALING ? order.subscription_anchor : null
  const end = (await paidUntil(ctx, order)) ?? (trialEnd === null ? ctx.now : new Date(trialEnd))
  const endsAt = at === 'now' || end < ctx.now ? ctx.now : end
  if (endsAt <= ctx.now && (await endBilling(ctx, order))) return
  await voidRenewals(ctx, order.id, endsAt)
  const values = { subscription_ends_at: endsAt.toISOString(), subscription_next_at: endsAt.toISOString() }
  await changeSubscription(ctx, order.id, values)
}
