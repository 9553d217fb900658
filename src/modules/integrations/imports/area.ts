// Imports of what another system had (docs/interface/integrations.md, Imports).
import { area } from '#http/manifest/area.ts'
import { importJobs } from './jobs.ts'
import { importRoutes } from './routes.ts'

export const importsArea = area({
  name: 'imports',
  description: 'What another system had: customers, products, entitlements, contracts, invoices and more.',
  routes: importRoutes,
  jobs: importJobs,
  tables: ['imports', 'import_rows', 'imported_records'],
})
