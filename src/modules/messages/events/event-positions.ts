// The one order of the events of all organizations, and the removal of old ones (docs/interface/messages.md).
import { sql } from '#kernel/values/sql.ts'

const MOST_ORDERED = 1000

/**
 * Waits for whoever gives positions or removes events; the next statement sees what they did. On a cluster the row is
 * free before the nodes have committed, the advisory lock only after (docs/scaling.md).
 */
export const lockPositions = sql`
  with held as materialized (select pg_advisory_xact_lock(hashtext('event_positions'), 0))
  select p.last_position from held, event_positions p for update of p`

/**
 * Gives positions to committed events that have none yet. One at a time: so positions become visible in their order.
 */
export const orderEvents = [
  lockPositions,
  sql`
    with waiting as (
      select organization_id, id, row_number() over (order by id) as nth
        from (select organization_id, id from events where position is null order by id limit ${MOST_ORDERED}) oldest
    ), counted as (
      update event_positions set last_position = last_position + (select count(*) from waiting)
       where exists (select 1 from waiting) returning last_position - (select count(*) from waiting) as before
    )
    update events e set position = c.before + w.nth from counted c, waiting w
     where e.organization_id = w.organization_id and e.id = w.id`,
] as const

const MOST_JOBS_REMOVED = 1000

type RemovedJob = {
  id: number
  kind: string
  organization_id: number | null
  event_id: number
  last_error: string | null
}

/**
 * Dead letters, and jobs of kinds that nobody knows any more, that hold events back: not for longer than events are
 * kept.
 */
export const removeJobsOfEvents = ({ deadBefore, failingBefore }: { deadBefore: Date; failingBefore: Date }) =>
  sql<RemovedJob>`
    delete from jobs where id in (
      select id from jobs
       where (dead_at < ${deadBefore} or dead_at is null and failing_since < ${failingBefore}) and every_seconds is null
         and payload ? 'event_id' and leased_until is null
       order by id limit ${MOST_JOBS_REMOVED} for update skip locked)
    returning id, kind, organization_id, (payload ->> 'event_id')::bigint as event_id,
      left(last_error, 200) as last_error`

const MOST_REMOVED = 10_000

/**
 * An event stays while it, or an earlier one of its organization, has an unfinished job (see removeJobsOfEvents), so
 * that each feed loses only its beginning. Those of an organization with a test clock stay: their readers live in real
 * time. Removed events that the vendor's feed never had are counted in its order, so that its readers learn of them.
 */
export const removeEventsBefore = (before: Date) => sql`
  with held as materialized (
    select j.organization_id, min((j.payload ->> 'event_id')::bigint) as id
      from jobs j where j.payload ? 'event_id' group by j.organization_id
  ), old as (
    select e.organization_id, e.id from events e left join held h on h.organization_id = e.organization_id
     where e.at < ${before} and e.organization_id not in (select organization_id from test_clocks)
       and (h.id is null or e.id < h.id) order by e.at limit ${MOST_REMOVED}
  ), ends as (
    select organization_id, max(id) as id from old group by organization_id
  ), removed as (
    delete from events e using ends where e.organization_id = ends.organization_id and e.id <= ends.id
      returning e.position
  ), counted as (
    select count(*) filter (where position is null) as without, max(position) as highest from removed
  )
  update event_positions set
    last_position = last_position + c.without,
    removed_position = case when c.without > 0 then last_position + c.without else greatest(removed_position, c.highest)
      end
    from counted c`
