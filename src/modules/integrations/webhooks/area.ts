// Reports of external systems (spec 6).
import { sql } from '#kernel/values/sql.ts'
import { area } from '#http/manifest/area.ts'
import { webhookJobs } from './jobs.ts'
import { webhookRoutes } from './routes.ts'

export const webhooksArea = area({
  name: 'webhooks',
  description: 'Endpoints for reports of external systems; the body is signed, no other credentials.',
  routes: webhookRoutes,
  jobs: webhookJobs,
  tables: ['provider_events'],
  waiting: [
    {
      kind: 'inbound-events',
      scope: 'jobs',
      waits: 'events of other systems that could not be read',
      rows: sql`select id, null::bigint as organization_id, source || ' ' || type as label, received_at as since
        from provider_events where event is null and set_aside_at is null`,
      act: { method: 'POST', path: '/admin/inbound-events/{id}/set-aside' },
    },
  ],
})
