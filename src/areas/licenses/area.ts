// Licenses (spec 4.7).
import { area } from '#kernel/area.ts'
import { licenseAnnouncements } from './announcements.ts'
import { MOST_OF_A_KIND } from '#kernel/data/search-across.ts'
import { beginsWith } from '#kernel/data/search.ts'
import { sql, type Statement } from '#kernel/data/sql.ts'
import { licenseJobs } from './jobs.ts'
import { licensesTable } from './license.ts'
import { publishedLicenses } from './published.ts'
import { licenseRoutes } from './routes.ts'
import { licenseStaffRoutes } from './staff-routes.ts'

const label = sql`t.product_name || ' ' || t.entitlement_code`

/** Keys that were issued elsewhere may have small letters. */
const withKey = (q: string, inOrganizations: (column: string) => Statement): Statement => {
  const [key, inCapitals] = [q.trim(), q.trim().toUpperCase()]
  return sql`
    select t.id, t.organization_id, ${label} as label, 'license_key' as matched, t.license_key in (${key}, ${inCapitals}) as is_exact
      from licenses t
     where (${beginsWith('t.license_key', sql`${key}::text`)} or ${beginsWith('t.license_key', sql`${inCapitals}::text`)})
       ${inOrganizations('t.organization_id')} limit ${MOST_OF_A_KIND}`
}

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
  staffSearchable: [{ scope: 'licenses', kind: licensesTable.resource, rows: withKey }],
})
