// POST /orders/{id}/subscription/cancel: a job asks the provider; one that the provider has not answered yet, or that
// nothing was paid for yet, ends at once. What the service itself bills it ends itself.
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { assertMayEndOrder } from '#modules/sales/payments/cancel-order.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import type { CancellationTime } from '#ports/payments.ts'
import { endBilling, voidRenewals } from './end-billing.ts'
import { changeSubscription, paidUntil } from './paid-periods.ts'
import { nextStepAt } from './invoice-period.ts'
import { assertNotExtended } from './not-extended.ts'
import { CANCELLED, hasEnded, isOver, PAUSED, type SubscriptionCancellation, TRIALING, UNPAID } from './subscription.ts'
import {
  assertNotVendors,
  assertOwnDoing,
  assertSelfService,
  isCustomer,
  NOT_CANCELLED,
  sideOf,
} from './self-service.ts'
import { cancelSubscription, keepAtProvider, subscriptionKey } from './subscription-jobs.ts'

export async function endSubscription(
  ctx: OrganizationContext,
  id: number,
  body: SubscriptionCancellation,
): Promise<void> {
  const { at = isCustomer(ctx) ? 'period_end' : 'now', reason = null } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  await assertSelfService(ctx, order, 'cancel')
  if (isCustomer(ctx) && at === 'now') throw invalid({ at: 'is period_end: what is paid stays until then' })
  const { subscription_status: status, subscription_ends_at: endsAt } = order
  if (hasEnded(order)) throw conflict('no_subscription', 'The order has no subscription to cancel')
  if (at === 'period_end' && endsAt !== null)
    throw conflict('subscription_ending', `The subscription is cancelled already and ends at ${endsAt}`)
  assertNotVendors(ctx, order.subscription_cancelled_by)
  const by = { subscription_cancelled_by: sideOf(ctx), subscription_cancel_reason: reason }
  await update(ctx, ordersTable, id, by, ordersTable.events.subscription_cancelled)
  if (order.subscription_anchor !== null) await endOurs(ctx, order, at)
  else if (order.subscription_reference === null)
    await update(ctx, ordersTable, id, { subscription_status: CANCELLED }, ordersTable.events.subscription_changed)
  else {
    await assertMayEndOrder(ctx, order)
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
  // What is voided is made again if the cancellation is taken back.
  const starts = await voidRenewals(ctx, order.id, endsAt)
  const ends = endsAt.toISOString()
  const values = {
    subscription_ends_at: ends,
    subscription_next_at: ends,
    subscription_invoiced_until: starts.toSorted().at(0) ?? order.subscription_invoiced_until,
  }
  await changeSubscription(ctx, order.id, values)
}

/**
 * DELETE /orders/{id}/subscription/cancel: takes back a cancellation at the end of the period, while that lies ahead.
 */
export async function keepSubscription(ctx: OrganizationContext, id: number): Promise<void> {
  const order = await orders.forChange(ctx, id)
  const { subscription_ends_at: endsAt, subscription_anchor: anchor, subscription_invoiced_until: until } = order
  await assertSelfService(ctx, order, 'cancel')
  if (hasEnded(order) || isOver(order) || endsAt === null || new Date(endsAt) <= ctx.now)
    throw conflict('nothing_scheduled', 'The order has no subscription that ends with its period')
  assertOwnDoing(ctx, order.subscription_cancelled_by)
  await assertNotExtended(ctx, id)
  if (anchor === null || until === null)
    return enqueue(ctx, keepAtProvider, { order_id: id }, { key: subscriptionKey(id) })
  const trialEnd = order.subscription_status === TRIALING ? anchor : null
  const values = {
    ...NOT_CANCELLED,
    subscription_ends_at: null,
    subscription_next_at:
      order.subscription_status === PAUSED ? null : await nextStepAt(ctx, order, { until, trialEnd }),
  }
  await changeSubscription(ctx, id, values)
}
