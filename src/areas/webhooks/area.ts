// Reports of external systems (spec 6).
import { area } from '#kernel/area.ts'
import { webhookJobs } from './jobs.ts'
import { webhookRoutes } from './routes.ts'

export const webhooksArea = area({
  name: 'webhooks',
  description: 'Endpoints for reports of external systems; the body is signed, no other credentials.',
  routes: webhookRoutes,
  jobs: webhookJobs,
  tables: ['provider_events'],
})
