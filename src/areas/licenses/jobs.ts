// The jobs that expire licenses and warn before.
import { expiryJob } from '#areas/notifications/warn-of-expiry.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { expireLicense } from './change-license.ts'
import { licensesTable } from './license.ts'
import { licenses } from './queries.ts'

const BATCH = 500

const warnOfExpiry = jobKind('licenses/warn', {})
const expireLicenses = jobKind('licenses/expire', {})

export const licenseJobs = [
  expiryJob({ kind: warnOfExpiry, table: licensesTable }),
  systemJob(expireLicenses, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inOrganization }) => {
      for (const { organization_id, id } of await read(licenses.due(now, BATCH)))
        await inOrganization(organization_id, (ctx) => expireLicense(ctx, id))
    },
  }),
]
