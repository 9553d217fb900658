// Entitlements (spec 4.3).
import { area } from '#http/manifest/area.ts'
import { entitlementAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { entitlementsTable } from './entitlement.ts'
import { entitlementJobs } from './jobs.ts'
import { publishedEntitlements } from './published.ts'
import { entitlementRoutes } from './routes.ts'

export const entitlementsArea = area({
  name: 'entitlements',
  description: 'What an organization has bought; all other records refer to it by its code.',
  routes: entitlementRoutes,
  jobs: entitlementJobs,
  announcements: entitlementAnnouncements,
  tables: [entitlementsTable.name],
  published: [publishedEntitlements],
  searchable: [{ scope: 'entitlements', table: entitlementsTable, label: sql`t.code || ' ' || t.product_name` }],
})
