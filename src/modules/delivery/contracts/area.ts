// Contracts (spec 4.10).
import { area } from '#http/manifest/area.ts'
import { contractActions } from './actions.ts'
import { contractAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { contractHistoryTable, contractsTable } from './contract.ts'
import { contractConsumers, contractJobs } from './jobs.ts'
import { publishedContracts } from './published.ts'
import { contractRoutes } from './routes.ts'

export const contractsArea = area({
  name: 'contracts',
  description: 'Contracts with organizations, and their service levels.',
  routes: contractRoutes,
  jobs: contractJobs,
  consumers: contractConsumers,
  announcements: contractAnnouncements,
  actions: contractActions,
  tables: [contractsTable.name, contractHistoryTable.name],
  published: [publishedContracts],
  searchable: [{ scope: 'contracts', table: contractsTable, label: sql`t.title` }],
})
