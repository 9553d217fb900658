// The removal of rows that have been kept for long enough, in batches, so that it holds up nobody
// (docs/decisions/0098).
import type { Settings } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { type Job, systemJob } from './jobs.ts'

const BATCH = 1000
const DAY_MS = 86_400_000

type Retention = {
  /** For how many days rows are kept; 0 for ever. */
  days: (settings: Settings) => number
  /** Removes so many rows that are older than that moment, the oldest first, by an index; gives a row for each. */
  remove: (before: Date, limit: number) => Statement
}

export const retentionJob = <Payload>(kind: JobKind<Payload>, { days, remove }: Retention): Job =>
  systemJob(kind, {
    everySeconds: 86_400,
    before: async ({ read, now, ports }) => {
      const kept = days(ports.settings)
      if (kept === 0) return
      const before = new Date(now.getTime() - kept * DAY_MS)
      for (let removed = BATCH; removed === BATCH;) removed = (await read(remove(before, BATCH))).length
    },
  })
