// Organizations (spec 4.2).
import { area } from '#http/manifest/area.ts'
import { sql } from '#kernel/values/sql.ts'
import { organizationsTable } from './organization.ts'
import { publishedOrganizations } from './published.ts'
import { organizationRoutes } from './routes.ts'

export const organizationsArea = area({
  name: 'organizations',
  description: 'The customers: their profile and their verification.',
  routes: organizationRoutes,
  tables: [organizationsTable.name, 'claims'],
  published: [publishedOrganizations],
  waiting: [
    {
      kind: 'organizations',
      scope: 'organization',
      waits: 'to be verified before they may buy',
      rows: sql`select id, id as organization_id, name as label, created_at as since
        from organizations where verification_requires and verification_status = 'pending' and deleted_at is null`,
      act: { method: 'POST', path: '/admin/organizations/{id}/verify' },
    },
  ],
  staffSearchable: [{ scope: 'organization', kind: 'organization', table: organizationsTable, label: sql`t.name` }],
})
