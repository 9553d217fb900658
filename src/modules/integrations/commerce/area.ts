// The commerce platform behind orders (spec 1, behaviours 3 and 5).
import { area } from '#http/manifest/area.ts'
import { commerceEventJobs } from './handle-commerce-event.ts'
import { importOrderJob } from './import-order.ts'
import { provisionImportedJob } from './provision-imported.ts'
import { reconcileJobs } from './reconcile-commerce.ts'
import { commerceRoutes } from './routes.ts'
import { syncConsumers, syncJobs } from './sync-order.ts'

export const commerceArea = area({
  name: 'commerce',
  description: 'Orders at the commerce platform: copies of ours, and those that were made in the shop.',
  routes: commerceRoutes,
  jobs: [...syncJobs, ...commerceEventJobs, importOrderJob, provisionImportedJob, ...reconcileJobs],
  consumers: syncConsumers,
  tables: ['commerce_orders'],
})
