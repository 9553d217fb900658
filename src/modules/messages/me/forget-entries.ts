// Removes the entries of inboxes that are older than NOTICES_DAYS.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { inbox } from './inbox-queries.ts'

const EVERY_SECONDS = 600
const BATCH = 10_000
const DAY_MS = 86_400_000

export const forgetEntries = systemJob(jobKind('me/forget-entries', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    await ctx.ask(inbox.removeBefore(new Date(ctx.now.getTime() - ctx.settings.noticesDays * DAY_MS), BATCH))
  },
})
