// POST /orders/{id}/subscription/pause and /resume: an order that is not billed for a while. What is paid stays. A job
// asks the provider where it charges the order.
import type { OrderRow, PausedBy } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { withdrawRenewals } from './end-billing.ts'
import { nextStepAt } from './invoice-period.ts'
import { assertNotExtended } from './not-extended.ts'
import { applyPaymentOfPeriod, applyReturn, changeSubscription, isInvoicedAt } from './paid-periods.ts'
import { assertNotVendors, assertOwnDoing, assertSelfService, isCustomer, sideOf } from './self-service.ts'
import { ACTIVE, isInArrears, isOver, PAUSED, type SubscriptionChange, TRIALING } from './subscription.ts'
import { pauseAtProvider, resumeAtProvider, subscriptionKey } from './subscription-jobs.ts'

/** The open invoices of periods that have not begun become void. */
export async function pauseSubscription(ctx: OrganizationContext, id: number, body: SubscriptionChange): Promise<void> {
  ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  const { subscription_status: status } = order
  await assertSelfService(ctx, order, 'pause')
  // Then no payment ends the pause.
  if (isInArrears(order) && !isCustomer(ctx))
    return changeSubscription(ctx, id, { subscription_paused_by: sideOf(ctx) })
  if (!hasBegun(order) || (status !== ACTIVE && status !== TRIALING))
    throw conflict('no_subscription', 'The order has no subscription that could be paused')
  assertGoesOn(order)
  assertNotVendors(ctx, order.subscription_paused_by)
  await pauseBy(ctx, order, { by: sideOf(ctx), since: ctx.now })
}

/** `since`: the time from which nothing is billed. */
export async function pauseBy(
  ctx: OrganizationContext,
  order: OrderRow,
  { by, since }: { by: PausedBy; since: Date },
): Promise<void> {
  const { id: order_id, subscription_anchor: anchor } = order
  if (anchor === null) {
    await changeSubscription(ctx, order_id, { subscription_paused_by: by })
    return enqueue(ctx, pauseAtProvider, { order_id }, { key: subscriptionKey(order_id) })
  }
  const paused = {
    subscription_paused_by: by,
    subscription_status: PAUSED,
    subscription_invoiced_until: await withdrawRenewals(ctx, order, since),
    subscription_next_at: null,
  }
  await changeSubscription(ctx, order_id, paused)
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
  if (isInArrears(order)) return goOnAfterArrears(ctx, order)
  if (anchor === null || until === null) return resumeThere(ctx, id)
  await goOn(ctx, order, until > ctx.now.toISOString() ? { anchor, until } : beginning(ctx.now))
}

/**
 * After a time without access that nobody pays for a new period begins now, and what the order renews waits for its
 * payment.
 */
export async function goOnAfterArrears(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const { id, subscription_anchor: anchor, subscription_invoiced_until: until } = order
  if (anchor === null || until === null) return resumeThere(ctx, id)
  await applyPaymentOfPeriod(ctx, order)
  const now = ctx.now.toISOString()
  // A trial, or a term that was paid before.
  const isToBegin = anchor > now
  if (until > now && (isToBegin || (await isInvoicedAt(ctx, id, ctx.now)))) return goOn(ctx, order, { anchor, until })
  await applyReturn(ctx, order, ctx.now)
  await goOn(ctx, order, beginning(ctx.now))
}

const resumeThere = (ctx: OrganizationContext, order_id: number): Promise<void> =>
  enqueue(ctx, resumeAtProvider, { order_id }, { key: subscriptionKey(order_id) })

type Billing = { anchor: string; until: string }
const beginning = (now: Date): Billing => ({ anchor: now.toISOString(), until: now.toISOString() })

async function goOn(ctx: OrganizationContext, order: OrderRow, { anchor, until }: Billing): Promise<void> {
  const isTrial = order.date_paid === null && anchor > ctx.now.toISOString()
  const resumed = {
    subscription_paused_by: null,
    subscription_status: isTrial ? TRIALING : ACTIVE,
    subscription_anchor: anchor,
    subscription_invoiced_until: until,
    subscription_next_at:
      order.subscription_ends_at ?? (await nextStepAt(ctx, order, { until, trialEnd: isTrial ? anchor : null })),
  }
  await changeSubscription(ctx, order.id, resumed)
}
