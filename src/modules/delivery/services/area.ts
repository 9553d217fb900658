// Services and their milestones (spec 4.9).
import { area } from '#http/manifest/area.ts'
import { serviceActions } from './actions.ts'
import { serviceAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { milestonesTable } from './milestone.ts'
import { publishedMilestones, publishedServices } from './published.ts'
import { serviceRoutes } from './routes.ts'
import { serviceHistory, servicesTable } from './service.ts'

export const servicesArea = area({
  name: 'services',
  description: 'Professional services and projects.',
  routes: serviceRoutes,
  announcements: serviceAnnouncements,
  actions: serviceActions,
  tables: [servicesTable.name, serviceHistory.name, milestonesTable.name],
  published: [publishedServices, publishedMilestones],
  searchable: [{ scope: 'entitlements', table: servicesTable, label: sql`t.name` }],
})
