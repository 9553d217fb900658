// What the worker does for tickets: it emits the breaches of service levels, and the warnings before them.
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { reportDeadlines } from './ticket-clock.ts'
import { tickets } from './queries.ts'

const BATCH = 500

const watchDeadlines = jobKind('tickets/clock', {})

export const ticketJobs = [
  systemJob(watchDeadlines, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(tickets.due(now, BATCH)), (ctx, { id }) => reportDeadlines(ctx, id)),
  }),
]
