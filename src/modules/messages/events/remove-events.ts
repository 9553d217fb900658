// Removes events that are older than `events_days`, and dead letters that would keep them for ever.
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { lockPositions, removeEventsBefore, removeJobsOfEvents } from './event-positions.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { settingOf } from '#ports/settings-in-force.ts'

const EVERY_SECONDS = 600
const DAY_MS = 86_400_000
/** However short the time of events is, a job that fails is tried for longer than this at most. */
const TRIED_DAYS = 30

export const removeEvents = systemJob(jobKind('events/remove-old', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    const ago = (days: number) => new Date(ctx.now.getTime() - days * DAY_MS)
    const eventsDays = await settingOf(ctx, 'vendor', 'events_days')
    const givenUp = { deadBefore: ago(eventsDays), failingBefore: ago(Math.max(eventsDays, TRIED_DAYS)) }
    for (const { id, ...details } of await ctx.ask(removeJobsOfEvents(givenUp)))
      ctx.write(serviceEntry(ctx, 'dead_letter_removed', { resource: 'job', id, details }))
    await ctx.ask(lockPositions)
    await ctx.ask(removeEventsBefore(ago(eventsDays)))
  },
})
