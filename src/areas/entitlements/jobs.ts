// The job that expires entitlements and warns before.
import { expiryJob } from '#areas/notifications/warn-of-expiry.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { entitlementsTable } from './entitlement.ts'
import { entitlements } from './queries.ts'
import { expireEntitlement } from './move-entitlement.ts'

const BATCH = 500

const warnOfExpiry = jobKind('entitlements/warn', {})
const expireEntitlements = jobKind('entitlements/expire', {})

export const entitlementJobs = [
  expiryJob({ kind: warnOfExpiry, table: entitlementsTable }),
  systemJob(expireEntitlements, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(entitlements.due(now, BATCH)), (ctx, { id }) => expireEntitlement(ctx, id)),
  }),
]
