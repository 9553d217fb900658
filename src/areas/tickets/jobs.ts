// What the worker does for tickets: the clock of those that nobody touches.
import { systemJob } from '#kernel/jobs/jobs.ts'
import { tellBreachesOf } from './ticket-clock.ts'
import { tickets } from './queries.ts'

const BATCH = 500

export const ticketJobs = [
  systemJob({
    kind: 'tickets/clock',
    everySeconds: 60,
    before: async ({ read, now }, _job, { inOrganization }) => {
      for (const { organization_id, id } of await read(tickets.overdue(now, BATCH)))
        await inOrganization(organization_id, (ctx) => tellBreachesOf(ctx, id))
    },
  }),
]
