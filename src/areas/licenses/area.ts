// Licenses (spec 4.7).
import { area } from '#kernel/area.ts'
import { licenseAnnouncements } from './announcements.ts'
import { sql } from '#kernel/data/sql.ts'
import { licenseJobs } from './jobs.ts'
import { licensesTable } from './license.ts'
import { publishedLicenses } from './published.ts'
import { licenseRoutes } from './routes.ts'
import { licenseStaffRoutes } from './staff-routes.ts'

const label = sql`t.product_name || ' ' || t.entitlement_code`

export const licensesArea = area({
  name: 'licenses',
  description: 'Software licenses and their activated domains.',
  routes: [...licenseRoutes, ...licenseStaffRoutes],
  jobs: licenseJobs,
  announcements: licenseAnnouncements,
  tables: [licensesTable.name],
  published: [publishedLicenses],
  searchable: [
    {
      scope: 'licenses',
      table: licensesTable,
      label,
      // A key is only found by its full text, and is not copied into the search terms.
      also: {
        matched: 'license_key',
        isExact: true,
        rows: (org, q) => sql`
          select t.id, ${label} as label from licenses t
           where t.organization_id = ${org} and t.license_key = ${q.trim().toUpperCase()}`,
      },
    },
  ],
})
