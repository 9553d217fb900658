// Refunds (spec 4.5).
import { area } from '#kernel/area.ts'
import { refundConsumers, refundJobs } from './jobs.ts'
import { refundsTable } from './refund.ts'
import { refundRoutes } from './routes.ts'

export const refundsArea = area({
  name: 'refunds',
  description: 'Refunds of paid invoices, whole or in part.',
  routes: refundRoutes,
  jobs: refundJobs,
  consumers: refundConsumers,
  tables: [refundsTable.name],
})
