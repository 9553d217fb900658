// What a preview takes for granted of a subscription: that the provider ends it.
import { orders } from '#areas/orders/queries.ts'
import { assumedAfterJob, previewed } from '#kernel/data/preview.ts'
import { followSubscription } from './follow-provider.ts'
import { paidUntil } from './paid-periods.ts'
import { CANCELLED, hasEnded } from './subscription.ts'
import { cancelSubscription } from './subscription-jobs.ts'

export const subscriptionAssumptions = [
  assumedAfterJob(cancelSubscription, async (ctx, { order_id: id, at = 'now' }) => {
    const order = await orders.forChange(ctx, id)
    const { subscription_reference: reference, subscription_status: status } = order
    if (reference === null || status === null || hasEnded(order)) return null
    const ended =
      at === 'now'
        ? { status: CANCELLED, endsAt: order.subscription_ends_at }
        : { status, endsAt: (await paidUntil(ctx, order))?.toISOString() ?? null }
    // Which customer and what was paid there is the provider's to say.
    await followSubscription(ctx, id, { ...ended, reference, provider: '', customer: null, paidInvoices: [] })
    return previewed('payment_provider', `cancel_subscription_${at}`, { resource: 'order', id })
  }),
]
