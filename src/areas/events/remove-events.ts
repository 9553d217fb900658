// Removes events that are older than EVENTS_DAYS.
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/data/sql.ts'
import { lockPositions } from './vendor-feed.ts'

const EVERY_SECONDS = 600
const MOST = 10_000
const DAY_MS = 86_400_000

/**
 * An event stays while it, or an earlier one of its organization, has an unfinished job, so that each feed loses only its
 * beginning. Removed events that the vendor's feed never had are counted in its order, so that its readers learn of them.
 */
const removeBefore = (before: Date) => sql`
  with held as materialized (
    select j.organization_id, min((j.payload ->> 'event_id')::bigint) as id
      from jobs j where j.payload ? 'event_id' group by j.organization_id
  ), old as (
    select e.organization_id, e.id from events e left join held h on h.organization_id = e.organization_id
     where e.at < ${before} and (h.id is null or e.id < h.id) order by e.at limit ${MOST}
  ), ends as (
    select organization_id, max(id) as id from old group by organization_id
  ), removed as (
    delete from events e using ends where e.organization_id = ends.organization_id and e.id <= ends.id returning e.position
  ), counted as (
    select count(*) filter (where position is null) as without, max(position) as highest from removed
  )
  update event_positions set
    last_position = last_position + c.without,
    removed_position = case when c.without > 0 then last_position + c.without else greatest(removed_position, c.highest) end
    from counted c`

export const removeEvents = systemJob(jobKind('events/remove-old', {}), {
  everySeconds: EVERY_SECONDS,
  run: async (ctx) => {
    await ctx.ask(lockPositions)
    await ctx.ask(removeBefore(new Date(ctx.now.getTime() - ctx.settings.eventsDays * DAY_MS)))
  },
})
