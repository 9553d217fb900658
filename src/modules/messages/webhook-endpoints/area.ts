// Webhook endpoints: events out, to the systems of customers and of the vendor (docs/webhooks.md).
import { sql } from '#kernel/values/sql.ts'
import { area } from '#http/manifest/area.ts'
import { createCatalogue } from '#modules/messages/events/catalogue.ts'
import { webhookEndpointAnnouncements } from './announcements.ts'
import { webhookEndpointJobs } from './jobs.ts'
import { publishedWebhookEndpoints } from './published.ts'
import { webhookEndpointRoutes } from './routes.ts'
import { webhookEndpointsTable } from './webhook-endpoint.ts'

const DISABLED = sql`select id, organization_id, url as label, updated_at as since
  from webhook_endpoints where status = 'disabled' and deleted_at is null`

export const webhookEndpointsArea = area({
  name: 'webhook-endpoints',
  description: 'Events sent to systems of the customers, with the log of their deliveries.',
  fromAll({ published }) {
    const catalogue = createCatalogue(published)
    return { routes: webhookEndpointRoutes(catalogue), jobs: webhookEndpointJobs(catalogue) }
  },
  announcements: webhookEndpointAnnouncements,
  tables: [webhookEndpointsTable.name, 'webhook_queues', 'webhook_deliveries'],
  published: [publishedWebhookEndpoints],
  waiting: [
    {
      kind: 'webhook-endpoints',
      scope: 'organization',
      waits: 'disabled by the service, of a customer',
      rows: sql`${DISABLED} and organization_id is not null`,
      act: { method: 'PATCH', path: '/webhook-endpoints/{id}', inOrganization: true },
    },
    {
      kind: 'vendor-webhook-endpoints',
      scope: 'settings',
      waits: 'disabled by the service, of the vendor',
      rows: sql`${DISABLED} and organization_id is null`,
      act: { method: 'PATCH', path: '/admin/webhook-endpoints/{id}' },
    },
  ],
})
