// The jobs that expire entitlements, warn before, and do what staff have scheduled.
import { expiryJob } from '#areas/notifications/warn-of-expiry.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { entitlementsTable } from './entitlement.ts'
import { entitlements } from './queries.ts'
import { expireEntitlement } from './move-entitlement.ts'
import { stopAsScheduled } from './schedule-entitlement.ts'

const BATCH = 500

const warnOfExpiry = jobKind('entitlements/warn', {})
const expireEntitlements = jobKind('entitlements/expire', {})
const stopEntitlements = jobKind('entitlements/stop', {})

export const entitlementJobs = [
  expiryJob({ kind: warnOfExpiry, table: entitlementsTable }),
  systemJob(expireEntitlements, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(entitlements.due(now, BATCH)), (ctx, { id }) => expireEntitlement(ctx, id)),
  }),
  systemJob(stopEntitlements, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(entitlements.toStop(now, BATCH)), (ctx, { id }) => stopAsScheduled(ctx, id)),
  }),
]
