// Sites (spec 4.11).
import { environmentsTable } from '#modules/delivery/environments/environment.ts'
import { licensesTable } from '#modules/delivery/licenses/license.ts'
import { area } from '#http/manifest/area.ts'
import { siteActions } from './actions.ts'
import { sql } from '#kernel/values/sql.ts'
import { checkProofsJob } from './check-proofs.ts'
import { propagateEnvironment, propagateEnvironmentJob } from './propagate-environment.ts'
import { propagateLicense, propagateLicenseJob } from './propagate-license.ts'
import { expireEarlierProofs, expireProofJobs } from './expire-proofs.ts'
import { publishedSites } from './published.ts'
import { siteRoutes } from './routes.ts'
import { SITE_REPORTS, sitesTable } from './site.ts'

const { events: ofLicense } = licensesTable
const { events: ofEnvironment } = environmentsTable

export const sitesArea = area({
  name: 'sites',
  description: 'The domains that products run on, their proofs, and what runs there.',
  routes: siteRoutes,
  jobs: [propagateLicenseJob, propagateEnvironmentJob, ...expireProofJobs, checkProofsJob],
  consumers: [
    ...[ofLicense.activated, ofLicense.deactivated, ofLicense.revoked].map((event) => ({
      event,
      job: propagateLicense,
    })),
    ...[ofEnvironment.created, ofEnvironment.updated, ofEnvironment.provisioned, ofEnvironment.decommissioned].map(
      (event) => ({ event, job: propagateEnvironment }),
    ),
    { event: sitesTable.events.verified, job: expireEarlierProofs },
  ],
  actions: siteActions,
  tables: [sitesTable.name, SITE_REPORTS],
  published: [publishedSites],
  searchable: [{ scope: 'entitlements', table: sitesTable, label: sql`t.name` }],
})
