// POST /orders/{id}/subscription/pause and /resume: an order that gets no invoices for a while. What is paid stays.
import { orders } from '#areas/orders/queries.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { withdrawRenewals } from './end-billing.ts'
import { nextStepAt } from './invoice-period.ts'
import { changeSubscription } from './paid-periods.ts'
import { ACTIVE, PAUSED, type SubscriptionChange, TRIALING } from './subscription.ts'

/** The open invoices of periods that have not begun become void. */
export async function pauseSubscription(ctx: OrganizationContext, id: number, body: SubscriptionChange): Promise<void> {
  ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status, subscription_ends_at: endsAt } = order
  if (order.subscription_anchor === null || (status !== ACTIVE && status !== TRIALING))
    throw conflict('The order has no subscription with invoices that could be paused')
  if (endsAt !== null) throw conflict(`The subscription is cancelled and ends at ${endsAt}`)
  const paused = {
    subscription_status: PAUSED,
    subscription_invoiced_until: await withdrawRenewals(ctx, order),
    subscription_next_at: null,
  }
  await changeSubscription(ctx, id, paused)
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
  if (status !== PAUSED || anchor === null || until === null)
    throw conflict('The order has no subscription that is paused')
  const now = ctx.now.toISOString()
  const [from, last] = until > now ? [anchor, until] : [now, now]
  const isTrial = order.date_paid === null && from > now
  const resumed = {
    subscription_status: isTrial ? TRIALING : ACTIVE,
    subscription_anchor: from,
    subscription_invoiced_until: last,
    subscription_next_at: await nextStepAt(ctx, { until: last, trialEnd: isTrial ? from : null }),
  }
  await changeSubscription(ctx, id, resumed)
}
