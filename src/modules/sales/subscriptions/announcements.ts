// The mail about a charge that failed, with where to pay, to the members with the scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { portalLink } from '#modules/messages/notifications/portal-link.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { ordersTable } from '#modules/sales/orders/order.ts'
import { subscriptions } from './queries.ts'

const chargeFailed = announcement({
  mail: 'charge-failed',
  event: ordersTable.events.subscription_charge_failed,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: subscriptions.failedCharge,
  about: ({ id }) => ({ record: 'order', id }),
  link: ({ id, link }, io) => link ?? portalLink(io, 'order', id),
  // Null when it was paid meanwhile.
  content: ({ number, total, currency, has_failed }, common) =>
    has_failed ? { ...common, number, total, currency } : null,
})

export const subscriptionAnnouncements = [chargeFailed]
