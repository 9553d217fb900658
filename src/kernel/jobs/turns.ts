// The turns of due jobs: one job of each organization, then the next of each, so that none waits for the backlog of
// another (docs/decisions/0005). A job gets its turn from the first claim after it became due, and one for each retry.
import { type Statement, sql } from '#kernel/values/sql.ts'

/**
 * So many get theirs in one claim, first come, first served. It took 2 ms, and a claim must not grow with what is due.
 */
export const MOST_TURNS = 200

type Turns = { now: Date; kinds: readonly string[]; urgent: readonly string[] }

const hasNoTurn = ({ now, kinds }: Turns): Statement =>
  sql`turn is null and dead_at is null and run_at <= ${now} and kind = any(${kinds}::text[])`

/** One worker at a time gives turns, so that two do not give the same. The next statement sees what others gave. */
export const lockTurns = (turns: Turns): Statement => sql`
  select t.is_only from job_turns t where exists (select 1 from jobs where ${hasNoTurn(turns)}) for update of t`

/**
 * The turn after the last one that came, or after the last one of its organization. So at most two jobs of each other
 * organization come before its first one, and every job is reached, since new ones never get a turn that has come.
 */
export const giveTurns = (turns: Turns): Statement<{ count: number }> => sql<{ count: number }>`
  with due as materialized (
    select id, coalesce(organization_id::text, kind) as tenant, kind = any(${turns.urgent}::text[]) as urgent, run_at
      from jobs where ${hasNoTurn(turns)} order by run_at, id limit ${MOST_TURNS} for update skip locked
  ), last as (
    select d.tenant, d.urgent, greatest(
             (select case when d.urgent then t.urgent else t.ordinary end from job_turns t),
             (select max(j.turn) from jobs j where coalesce(j.organization_id::text, j.kind) = d.tenant
                 and j.is_urgent = d.urgent and j.dead_at is null)) as turn
      from (select distinct tenant, urgent from due) d
  ), given as (
    update jobs j set is_urgent = n.urgent, turn = n.turn
      from (select d.id, l.urgent, l.turn + row_number() over (partition by d.tenant, d.urgent
        order by d.run_at, d.id) as turn
              from due d join last l using (tenant, urgent)) n
     where j.id = n.id returning 1
  )
  select count(*) as count from given`
