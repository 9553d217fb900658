// What customers see of the events of their webhook endpoints. No secret is in them.
import { publishedResource } from '#kernel/data/published.ts'
import { StoredEndpoint, webhookEndpointsTable } from './webhook-endpoint.ts'

export const publishedWebhookEndpoints = publishedResource(webhookEndpointsTable, {
  scopes: ['organization'],
  record: StoredEndpoint,
  events: {
    created: 'A webhook endpoint was created.',
    updated: 'Address, event types or description of a webhook endpoint have changed.',
    paused: 'A webhook endpoint was paused.',
    resumed: 'A webhook endpoint that was paused or disabled is active again.',
    disabled: 'The service has disabled a webhook endpoint; `disabled_reason` says why.',
    secret_rotated: 'The secret of a webhook endpoint was rotated.',
    deleted: 'A webhook endpoint was deleted.',
  },
})
