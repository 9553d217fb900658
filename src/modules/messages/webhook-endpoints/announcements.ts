// The mail when the service has disabled an endpoint, to owner and admins.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersFrom } from '#modules/messages/notifications/recipients.ts'
import { endpoints } from './queries.ts'
import { webhookEndpointsTable } from './webhook-endpoint.ts'

const endpointDisabled = announcement({
  mail: 'webhook-endpoint-disabled',
  event: webhookEndpointsTable.events.disabled,
  facts: endpoints.one,
  contact: 'technical',
  audience: membersFrom('admin'),
  about: ({ id }) => ({ record: 'webhook_endpoint', id }),
  // Null when somebody has resumed it meanwhile.
  content: ({ url, disabled_reason: reason, failing_since: failingSince }, common) =>
    reason === null ? null : { ...common, address: addressOf(url), reason, failingSince },
})

/** Without a scheme, so that no program makes a link of it, and without a query, which may be secret. */
function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

export const webhookEndpointAnnouncements = [endpointDisabled]
