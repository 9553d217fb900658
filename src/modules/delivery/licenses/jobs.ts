// The jobs that expire licenses and warn before.
import { expiryJob } from '#modules/messages/notifications/warn-of-expiry.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { expireLicense } from './change-license.ts'
import { licensesTable } from './license.ts'
import { licenses } from './queries.ts'

const warnOfExpiry = jobKind('licenses/warn', {})
const expireLicenses = jobKind('licenses/expire', {})

export const licenseJobs = [
  expiryJob({ kind: warnOfExpiry, table: licensesTable }),
  sweepJob(expireLicenses, { due: ({ now }) => licenses.due(now), act: (ctx, { id }) => expireLicense(ctx, id) }),
]
