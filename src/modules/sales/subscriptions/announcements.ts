// The mail about a cancellation.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { amongMembersWith, membersWith, supportDesk } from '#modules/messages/notifications/recipients.ts'
import { ordersTable } from '#modules/sales/orders/order.ts'
import { type Cancellation, subscriptions } from './queries.ts'
import { CANCELLED } from './subscription.ts'

const members = membersWith('orders')

/** The vendor's staff are told where it was a customer. */
const cancelled = announcement({
  mail: 'subscription-cancelled',
  event: ordersTable.events.subscription_cancelled,
  audience: amongMembersWith<Cancellation>('orders', async (context, facts) => [
    ...(await members.find(context, facts)),
    ...(facts.cancelled_by === 'customer' ? await supportDesk(context, facts) : []),
  ]),
  facts: subscriptions.cancellation,
  about: ({ id }) => ({ record: 'order', id }),
  // Null when it was taken back meanwhile.
  content: ({ number, cancelled_by, reason, ends_at, status }, common) => {
    if (cancelled_by === null) return null
    const hasEnded = status === CANCELLED
    return { ...common, number, reason, endsAt: ends_at, isOwn: cancelled_by === 'customer', hasEnded }
  },
})

export const subscriptionAnnouncements = [cancelled]
