// What the worker does for tickets: it reports those whose promised times have passed.
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { reportBreachesOf } from './ticket-clock.ts'
import { tickets } from './queries.ts'

const BATCH = 500

const reportBreaches = jobKind('tickets/clock', {})

export const ticketJobs = [
  systemJob(reportBreaches, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inOrganization }) => {
      for (const { organization_id, id } of await read(tickets.overdue(now, BATCH)))
        await inOrganization(organization_id, (ctx) => reportBreachesOf(ctx, id))
    },
  }),
]
