// The rights of persons and organizations over their data (LGPD).
import { area } from '#http/manifest/area.ts'
import { privacyJobs } from './jobs.ts'
import { exportedTables } from './organization-records.ts'
import { withKernel } from './organization-erasure.ts'
import { organizationErasureRoutes } from './organization-erasure-routes.ts'
import { privacyRoutes } from './routes.ts'
import { privacyStaffRoutes } from './staff-routes.ts'

export const privacyArea = area({
  name: 'privacy',
  description: 'Exports and erasures of personal data, consents, and exports of organizations.',
  fromAll(all) {
    const rules = withKernel(all.erasure)
    return {
      routes: [...privacyRoutes, ...privacyStaffRoutes, ...organizationErasureRoutes(rules)],
      jobs: privacyJobs(exportedTables(all), rules),
    }
  },
  tables: ['person_exports', 'organization_exports', 'consents', 'erasures', 'organization_erasures'],
})
