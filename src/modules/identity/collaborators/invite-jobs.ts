// The job that marks invites as expired when they were not answered in time.
import { move } from '#kernel/data/changes.ts'
import { first } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { collaboratorsTable, inviteMoves } from './collaborator.ts'
import { invites } from './invite-queries.ts'

const BATCH = 500

const expireInvites = jobKind('invites/expire', {})

export const inviteJobs = [
  systemJob(expireInvites, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(invites.due(now, BATCH)), async (ctx, { organization_id, id }) => {
        if (await first(ctx, invites.isDue(organization_id, id, now)))
          await move(ctx, collaboratorsTable, id, inviteMoves.expire)
      }),
  }),
]
