// Environments and their maintenance (spec 4.8).
import { area } from '#http/manifest/area.ts'
import { environmentAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { environmentHistory, environmentsTable } from './environment.ts'
import { environmentJobs } from './jobs.ts'
import { maintenanceWindowsTable } from './maintenance-window.ts'
import { publishedEnvironments, publishedMaintenanceWindows } from './published.ts'
import { environmentRoutes } from './routes.ts'

export const environmentsArea = area({
  name: 'environments',
  description: 'Managed hosting.',
  routes: environmentRoutes,
  jobs: environmentJobs,
  announcements: environmentAnnouncements,
  tables: [environmentsTable.name, environmentHistory.name, maintenanceWindowsTable.name],
  published: [publishedEnvironments, publishedMaintenanceWindows],
  waiting: [
    {
      kind: 'environments',
      scope: 'entitlements',
      waits: 'the provisioning system has not done, or not confirmed, what it was asked for',
      rows: sql`
        select id, organization_id, name || ': ' || provisioning_act as label, updated_at as since
          from environments
         where provisioning_state = 'failed' and (provisioning_act <> 'provision' or status = 'provisioning')`,
      act: { method: 'POST', path: '/environments/{id}/provision', inOrganization: true },
    },
  ],
  searchable: [{ scope: 'entitlements', table: environmentsTable, label: sql`t.name` }],
})
