// The removal of old dead letters, for those who have decided how long they look at them.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { retentionJob } from '#kernel/jobs/retention.ts'
import { ofVendor } from '#ports/settings-in-force.ts'
import { sql } from '#kernel/values/sql.ts'

export const adminJobs = [
  retentionJob(jobKind('admin/remove-dead-letters', {}), {
    days: ofVendor('dead_letter_days'),
    // The condition stands twice: one that staff restart meanwhile is left.
    remove: (before, limit) => sql`
      delete from jobs where dead_at < ${before} and id in (
        select id from jobs where dead_at < ${before} order by dead_at, id limit ${limit}) returning id`,
  }),
]
