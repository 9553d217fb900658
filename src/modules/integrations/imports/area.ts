// Imports of what another system had (docs/interface/integrations.md, Imports).
import { area } from '#http/manifest/area.ts'
import { importJobs } from './jobs.ts'
import { importRoutes } from './routes.ts'

export const importsArea = area({
  name: 'imports',
  description: 'Customers, members, entitlements, licenses and open invoices from another system.',
  routes: importRoutes,
  jobs: importJobs,
  tables: ['imports', 'import_rows', 'imported_records'],
})
