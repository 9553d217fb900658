// Removes the records of mails that are older than `notices_days`.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { mails } from './queries.ts'

const EVERY_SECONDS = 600
const BATCH = 10_000
const DAY_MS = 86_400_000

export const forgetMails = systemJob(jobKind('mails/forget', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    const days = await settingOf(ctx, 'vendor', 'notices_days')
    await ctx.ask(mails.removeBefore(new Date(ctx.now.getTime() - days * DAY_MS), BATCH))
  },
})
