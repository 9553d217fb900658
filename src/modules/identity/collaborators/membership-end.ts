// Memberships that end at a time: the member and the owner are warned a week before, and the end is an event.
import { update } from '#kernel/data/changes.ts'
import { first } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { type Ending, endings } from './ending-queries.ts'
import { collaboratorsTable } from './collaborator.ts'

const BATCH = 500

const propagateEnds = jobKind('collaborators/propagate-ends', {})

/** In real time, as memberships are judged. The member has lost access already when it runs. */
export const membershipEndJob = systemJob(propagateEnds, {
  everySeconds: 60,
  before: async ({ read, now }, _job, { inEach }) =>
    inEach(await read(endings.due(now, BATCH)), async (ctx, { organization_id, id }) => {
      const ending: Ending | undefined = await first(ctx, endings.one(organization_id, id, now))
      if (!ending) return
      const { expired_at: end, is_over: isOver } = ending
      const { expired, expiring } = collaboratorsTable.events
      if (isOver) await update(ctx, collaboratorsTable, id, { end_announced_for: end, end_warned_for: end }, expired)
      else await update(ctx, collaboratorsTable, id, { end_warned_for: end }, expiring)
    }),
})
