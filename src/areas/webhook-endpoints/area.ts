// Webhook endpoints: events out, to the systems of customers and of the vendor (docs/webhooks.md).
import { area } from '#kernel/area.ts'
import type { Catalogue } from '#areas/events/catalogue.ts'
import { webhookEndpointAnnouncements } from './announcements.ts'
import { webhookEndpointJobs } from './jobs.ts'
import { publishedWebhookEndpoints } from './published.ts'
import { webhookEndpointRoutes } from './routes.ts'
import { webhookEndpointsTable } from './webhook-endpoint.ts'

export const webhookEndpointsArea = (catalogue: Catalogue) =>
  area({
    name: 'webhook-endpoints',
    description: 'Events sent to systems of the customers, with the log of their deliveries.',
    routes: webhookEndpointRoutes(catalogue),
    jobs: webhookEndpointJobs(catalogue),
    announcements: webhookEndpointAnnouncements,
    tables: [webhookEndpointsTable.name, 'webhook_queues', 'webhook_deliveries'],
    published: [publishedWebhookEndpoints],
  })
