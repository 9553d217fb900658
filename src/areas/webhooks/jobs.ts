// The job that removes stored events that are old.
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import '#ports/ports.ts'
import { removeOldEvents } from './provider-events.ts'

const BATCH = 1000
const DAY_MS = 86_400_000

const prune = jobKind('webhooks/prune', {})

export const webhookJobs = [
  systemJob(prune, {
    everySeconds: 86_400,
    before: async ({ read, now, ports }) => {
      const days = ports.settings.inboundEventDays
      if (days === 0) return
      const before = new Date(now.getTime() - days * DAY_MS)
      for (let removed = BATCH; removed === BATCH;) removed = (await read(removeOldEvents(before, BATCH))).length
    },
  }),
]
