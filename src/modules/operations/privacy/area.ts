// The rights of persons and organizations over their data (LGPD).
import { type Area, area } from '#http/manifest/area.ts'
import { privacyJobs } from './jobs.ts'
import { exportedTables } from './organization-records.ts'
import { organizationErasureRoutes } from './organization-erasure-routes.ts'
import { privacyRoutes } from './routes.ts'
import { privacyStaffRoutes } from './staff-routes.ts'

const tables = ['person_exports', 'organization_exports', 'consents', 'erasures', 'organization_erasures']

/** `others`: the areas whose records are exported. */
export const privacyArea = (others: readonly Pick<Area, 'tables' | 'published'>[]) =>
  area({
    name: 'privacy',
    description: 'Exports and erasures of personal data, consents, and exports of organizations.',
    routes: [...privacyRoutes, ...privacyStaffRoutes, ...organizationErasureRoutes],
    jobs: privacyJobs(
      exportedTables(
        [...others, { tables }],
        others.flatMap(({ published }) => published),
      ),
    ),
    tables,
  })
