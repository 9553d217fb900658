// Disputes of payments (docs/interface/sales.md, Disputes).
import { area } from '#http/manifest/area.ts'
import { disputesTable } from './dispute.ts'
import { disputeConsumers, disputeJobs } from './jobs.ts'
import { publishedDisputes } from './published.ts'
import { disputeRoutes } from './routes.ts'

export const disputesArea = area({
  name: 'disputes',
  description: 'Payments that the payer’s bank asks back.',
  routes: disputeRoutes,
  jobs: disputeJobs,
  consumers: disputeConsumers,
  tables: [disputesTable.name],
  published: [publishedDisputes],
})
