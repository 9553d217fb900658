// The mail about a delivery, to the members who may accept it.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { services } from './queries.ts'
import { servicesTable } from './service.ts'

const serviceDelivered = announcement({
  mail: 'service-delivered',
  event: servicesTable.events.delivered,
  audience: membersWith('entitlements'),
  facts: services.deliveryFacts,
  about: ({ id }) => ({ record: 'service', id }),
  // None if the delivery was accepted or rejected since.
  content: ({ status, name: serviceName, note }, common) =>
    status === 'delivered' ? { ...common, serviceName, note } : null,
})

export const serviceAnnouncements = [serviceDelivered]
