// Removes the entries of inboxes that are older than `notices_days`.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { inbox } from './inbox-queries.ts'

const EVERY_SECONDS = 600
const BATCH = 10_000
const DAY_MS = 86_400_000

export const forgetEntries = systemJob(jobKind('me/forget-entries', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    const days = await settingOf(ctx, 'vendor', 'notices_days')
    await ctx.ask(inbox.removeBefore(new Date(ctx.now.getTime() - days * DAY_MS), BATCH))
  },
})
