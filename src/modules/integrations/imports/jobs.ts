// The jobs of imports. They belong to no organization: a line may be of any.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { retentionJob } from '#kernel/jobs/retention.ts'
import { ofVendor } from '#ports/settings-in-force.ts'
import { countInvited, inviteMembersJob, inviteSome } from './invite-members.ts'
import { imports } from './queries.ts'
import { advance, readImport, readSlice } from './read-slice.ts'

export const importJobs = [
  systemJob(readImport, {
    before: (io, { payload }, transactions) => readSlice(io, payload.import_id, transactions),
    run: (ctx, { payload }, progress) => advance(ctx, payload.import_id, progress),
  }),
  systemJob(inviteMembersJob, {
    before: (io, { payload }, transactions) => inviteSome(io, payload, transactions),
    run: (ctx, { payload }, slice) => countInvited(ctx, payload, slice),
  }),
  retentionJob(jobKind('imports/remove-rows', {}), {
    days: ofVendor('import_rows_days'),
    remove: imports.removeRows,
  }),
]
