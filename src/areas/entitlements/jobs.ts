// What the worker does for entitlements.
import { systemJob } from '#kernel/jobs.ts'
import { entitlements } from './queries.ts'
import { expireEntitlement } from './transitions.ts'

const BATCH = 500

export const entitlementJobs = [
  systemJob({
    kind: 'entitlements/expire',
    everySeconds: 60,
    before: async ({ read, now }, _job, { inOrganization }) => {
      for (const { organization_id, id } of await read(entitlements.due(now, BATCH)))
        await inOrganization(organization_id, (ctx) => expireEntitlement(ctx, id))
    },
  }),
]
