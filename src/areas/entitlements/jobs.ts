// What the worker does for entitlements.
import { systemJob } from '#kernel/jobs.ts'
import { entitlements } from './queries.ts'
import { expireEntitlement } from './transitions.ts'

const BATCH = 500

export const entitlementJobs = [
  systemJob({
    kind: 'entitlements/expire',
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(entitlements.due(now, BATCH)), (ctx, { id }) => expireEntitlement(ctx, id)),
  }),
]
