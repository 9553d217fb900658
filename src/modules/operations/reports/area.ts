// Reports (docs/interface/operations.md, Reports; docs/reports.md).
import { area } from '#http/manifest/area.ts'
import { reportRoutes } from './routes.ts'

export const reportsArea = area({
  name: 'reports',
  description:
    'Revenue, receivables, what ends soon, tax invoices and service levels, added up by month, legal entity and class.',
  routes: reportRoutes,
  tables: [],
})
