// Licenses (spec 4.7).
import { area } from '#http/manifest/area.ts'
import { licenseAnnouncements } from './announcements.ts'
import { beginsWith, MOST_OF_A_KIND } from '#kernel/data/lists/search.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import { licenseJobs } from './jobs.ts'
import { licensesTable } from './license.ts'
import { publishedLicenses } from './published.ts'
import { licenseRoutes } from './routes.ts'
import { licenseStaffRoutes } from './staff-routes.ts'

const label = sql`t.product_name || ' ' || t.entitlement_code`

const withKey = (q: string, inOrganizations: (column: string) => Statement): Statement => sql`
  select t.id, t.organization_id, ${label} as label, 'license_key' as matched,
    lower(t.license_key) = lower(${q.trim()}) as is_exact
    from licenses t where ${beginsWith('lower(t.license_key)', sql`lower(${q.trim()})`)}
     ${inOrganizations('t.organization_id')} limit ${MOST_OF_A_KIND}`

/**
 * Keys of this service are in capitals; those that were brought along, of which a partial index knows, may have small
 * letters.
 */
const withWholeKey = (org: number, q: string): Statement => sql`
  select t.id, ${label} as label from licenses t
   where t.organization_id = ${org} and t.license_key = upper(${q.trim()})
  union all
  select t.id, ${label} as label from licenses t
   where t.organization_id = ${org} and t.license_key <> upper(t.license_key)
     and lower(t.license_key) = lower(${q.trim()})`

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
        rows: withWholeKey,
      },
    },
  ],
  staffSearchable: [{ scope: 'licenses', kind: licensesTable.resource, rows: withKey }],
})
