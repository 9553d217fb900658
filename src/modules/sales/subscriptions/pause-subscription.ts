// POST /orders/{id}/subscription/pause and /resume: an order that is not billed for a while. What is paid stays. A job
// asks the provider where it charges the order.
import type { OrderRow } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { withdrawRenewals } from './end-billing.ts'
import { nextStepAt } from './invoice-period.ts'
import { assertNotExtended } from './not-extended.ts'
import { changeSubscription } from './paid-periods.ts'
import { assertNotVendors, assertOwnDoing, assertSelfService, sideOf } from './self-service.ts'
import { ACTIVE, isOver, PAUSED, type SubscriptionChange, TRIALING } from './subscription.ts'
import { pauseAtProvider, resumeAtProvider, subscriptionKey } from './subscription-jobs.ts'

/** The open invoices of periods that have not begun become void. */
export async function pauseSubscription(ctx: OrganizationContext, id: number, body: SubscriptionChange): Promise<void> {
  ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_anchor: anchor } = order
  await assertSelfService(ctx, order, 'pause')
  if (!hasBegun(order) || (status !== ACTIVE && status !== TRIALING))
    throw conflict('no_subscription', 'The order has no subscription that could be paused')
  assertGoesOn(order)
  assertNotVendors(ctx, order.subscription_paused_by)
  const by = { subscription_paused_by: sideOf(ctx) }
  if (anchor === null) {
    await changeSubscription(ctx, id, by)
    return enqueue(ctx, pauseAtProvider, { order_id: id }, { key: subscriptionKey(id) })
  }
  const paused = {
    ...by,
    subscription_status: PAUSED,
    subscription_invoiced_until: await withdrawRenewals(ctx, order),
    subscription_next_at: null,
  }
  await changeSubscription(ctx, id, paused)
}

/** By the service itself, or at the provider; not of an order that is over. */
const hasBegun = (order: OrderRow): boolean =>
  !isOver(order) && (order.subscription_anchor !== null || order.subscription_reference !== null)

export function assertGoesOn({ subscription_ends_at: endsAt }: OrderRow): void {
  if (endsAt !== null) throw conflict('subscription_ending', `The subscription is cancelled and ends at ${endsAt}`)
}

/** It goes on after the time that has an invoice, or with a new first day if that has passed. */
export async function resumeSubscription(
  ctx: OrganizationContext,
  id: number,
  body: SubscriptionChange,
): Promise<void> {
  ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_anchor: anchor, subscription_invoiced_until: until } = order
  await assertSelfService(ctx, order, 'pause')
  if (!hasBegun(order) || status !== PAUSED)
    throw conflict('subscription_not_paused', 'The order has no subscription that is paused')
  assertOwnDoing(ctx, order.subscription_paused_by)
  assertGoesOn(order)
  await assertNotExtended(ctx, id)
  if (anchor === null || until === null)
    return enqueue(ctx, resumeAtProvider, { order_id: id }, { key: subscriptionKey(id) })
  const now = ctx.now.toISOString()
  const [from, last] = until > now ? [anchor, until] : [now, now]
  const isTrial = order.date_paid === null && from > now
  const resumed = {
    subscription_paused_by: null,
    subscription_status: isTrial ? TRIALING : ACTIVE,
    subscription_anchor: from,
    subscription_invoiced_until: last,
    subscription_next_at: await nextStepAt(ctx, { until: last, trialEnd: isTrial ? from : null }),
  }
  await changeSubscription(ctx, id, resumed)
}
