// Removes events that are older than EVENTS_DAYS.
import { lockPositions, removeEventsBefore } from '#kernel/data/event-positions.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'

const EVERY_SECONDS = 600
const DAY_MS = 86_400_000

export const removeEvents = systemJob(jobKind('events/remove-old', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    await ctx.ask(lockPositions)
    await ctx.ask(removeEventsBefore(new Date(ctx.now.getTime() - ctx.settings.eventsDays * DAY_MS)))
  },
})
