// What a preview takes for granted of a subscription: that the provider does as it is asked.
import type { OrderRow } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { assumedAfterJob, previewed } from '#kernel/jobs/preview.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { applySubscriptionState } from './apply-subscription-state.ts'
import { paidUntil } from './paid-periods.ts'
import { ACTIVE, CANCELLED, hasEnded, PAUSED, TRIALING } from './subscription.ts'
import {
  cancelSubscription,
  changeAtProvider,
  keepAtProvider,
  pauseAtProvider,
  resumeAtProvider,
} from './subscription-jobs.ts'

type SubscriptionState = { status: string; endsAt: string | null }

/** Null where the provider has none that could change. */
async function assumed(
  ctx: OrganizationContext,
  { order_id: id }: { order_id: number },
  act: (order: OrderRow, status: string) => Promise<SubscriptionState & { act: string }>,
) {
  const order = await orders.forChange(ctx, id)
  const { subscription_reference: reference, subscription_status: before } = order
  if (reference === null || before === null || hasEnded(order)) return null
  const { act: asked, ...changed } = await act(order, before)
  // Which customer and what was paid there is the provider's to say.
  await applySubscriptionState(ctx, id, { ...changed, reference, provider: '', customer: null, paidInvoices: [] })
  return previewed('payment_provider', asked, { resource: 'order', id })
}

export const subscriptionAssumptions = [
  assumedAfterJob(cancelSubscription, (ctx, payload) =>
    assumed(ctx, payload, async (order, status) => {
      const { at = 'now' } = payload
      const act = `cancel_subscription_${at}`
      if (at === 'now') return { act, status: CANCELLED, endsAt: order.subscription_ends_at }
      return { act, status, endsAt: (await paidUntil(ctx, order))?.toISOString() ?? order.subscription_trial_ends_at }
    }),
  ),
  assumedAfterJob(keepAtProvider, (ctx, payload) =>
    assumed(ctx, payload, (_order, status) => Promise.resolve({ act: 'keep_subscription', status, endsAt: null })),
  ),
  assumedAfterJob(changeAtProvider, (ctx, payload) =>
    assumed(ctx, payload, ({ subscription_ends_at: endsAt }, status) =>
      Promise.resolve({ act: 'change_subscription', status, endsAt }),
    ),
  ),
  assumedAfterJob(pauseAtProvider, (ctx, payload) =>
    assumed(ctx, payload, ({ subscription_ends_at: endsAt }) =>
      Promise.resolve({ act: 'pause_subscription', status: PAUSED, endsAt }),
    ),
  ),
  assumedAfterJob(resumeAtProvider, (ctx, payload) =>
    assumed(ctx, payload, ({ subscription_ends_at: endsAt, subscription_trial_ends_at: trialEnd }) => {
      const status = trialEnd !== null && trialEnd > ctx.now.toISOString() ? TRIALING : ACTIVE
      return Promise.resolve({ act: 'resume_subscription', status, endsAt })
    }),
  ),
]
