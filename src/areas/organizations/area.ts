// Organizations (spec 4.2).
import { area } from '#kernel/area.ts'
import { organizationsTable } from './organization.ts'
import { publishedOrganizations } from './published.ts'
import { organizationRoutes } from './routes.ts'

export const organizationsArea = area({
  name: 'organizations',
  description: 'The customers: their profile and their verification.',
  routes: organizationRoutes,
  tables: [organizationsTable.name, 'claims'],
  published: [publishedOrganizations],
})
