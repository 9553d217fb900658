// What the worker does for tickets: it emits the breaches of service levels, and the warnings before them.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { reportDeadlines } from './ticket-clock.ts'
import { tickets } from './queries.ts'

const watchDeadlines = jobKind('tickets/clock', {})

export const ticketJobs = [
  sweepJob(watchDeadlines, { due: ({ now }) => tickets.due(now), act: (ctx, { id }) => reportDeadlines(ctx, id) }),
]
