// The removal of rows that have been kept for long enough, in batches, so that it holds up nobody
// (docs/decisions/0098).
import type { IoContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { type Job, systemJob } from './jobs.ts'

const BATCH = 1000
const DAY_MS = 86_400_000

type Retention = {
  /** For how many days rows are kept; 0 for ever. */
  days: (io: IoContext) => Promise<number>
  /** Removes so many rows that are older than that moment, the oldest first, by an index; gives a row for each. */
  remove: (before: Date, limit: number) => Statement
}

export const retentionJob = <Payload>(kind: JobKind<Payload>, { days, remove }: Retention): Job =>
  systemJob(kind, {
    everySeconds: 86_400,
    before: async (io) => {
      const kept = await days(io)
      if (kept === 0) return
      const before = new Date(io.now.getTime() - kept * DAY_MS)
      for (let removed = BATCH; removed === BATCH;) removed = (await io.read(remove(before, BATCH))).length
    },
  })
