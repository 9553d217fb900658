// The jobs that expire entitlements, warn before, and do what staff have scheduled.
import { expiryJob } from '#modules/messages/notifications/warn-of-expiry.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { entitlementsTable } from './entitlement.ts'
import { entitlements } from './queries.ts'
import { expireEntitlement } from './move-entitlement.ts'
import { stopAsScheduled } from './schedule-entitlement.ts'

const warnOfExpiry = jobKind('entitlements/warn', {})
const expireEntitlements = jobKind('entitlements/expire', {})
const stopEntitlements = jobKind('entitlements/stop', {})

export const entitlementJobs = [
  expiryJob({ kind: warnOfExpiry, table: entitlementsTable }),
  sweepJob(expireEntitlements, {
    due: ({ now }) => entitlements.due(now),
    act: (ctx, { id }) => expireEntitlement(ctx, id),
  }),
  sweepJob(stopEntitlements, {
    due: ({ now }) => entitlements.toStop(now),
    act: (ctx, { id }) => stopAsScheduled(ctx, id),
  }),
]
