// A sweep: a periodic job over the rows of all organizations that are due, with a transaction for each row.
// Organizations with a test clock are left out: advancing their clock runs the same sweeps at each of their moments
// (advance-clock.ts).
import type { OrganizationContext, Settings } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { type Job, systemJob } from './jobs.ts'

const BATCH = 500

export type SweepTime = { now: Date; settings: Settings }
export type Due = { organization_id: number; id: number; due_at: string }
type Moment = Pick<Due, 'organization_id' | 'due_at'>

export type Sweep<Row extends Due = Due> = {
  /** 60, unless it says otherwise. */
  everySeconds?: number
  /**
   * The rows of all organizations that are due at `now`, each with the moment since when it is (`due_at`), in any order
   * and without a limit. A row is due until `act` has settled it.
   */
  due: (time: SweepTime) => Statement<Row>
  /**
   * The moments after `now` and up to `until` at which rows may become due. Needed where a row that will be due by then
   * is not due any more at `until`, such as a warning before an end; else they are those of `due` at `until`.
   */
  moments?: (time: SweepTime & { until: Date }) => Statement<Moment>
  /** Checks again whether the row is due, by the context's `now`: it may have changed since it was read. */
  act(ctx: OrganizationContext, row: Row): Promise<unknown>
}

export const sweepJob = <Payload, Row extends Due>(kind: JobKind<Payload>, sweep: Sweep<Row>): Job => {
  const { due, act } = sweep
  const job = systemJob(kind, {
    everySeconds: sweep.everySeconds ?? 60,
    before: async ({ read, now, ports }, _job, { inEach }) =>
      inEach(await read(inRealTime(due({ now, settings: ports.settings }))), (ctx, row) => act(ctx, row)),
  })
  return { ...job, sweep } as Job
}

/** Without those of organizations with a test clock: a batch of them would hold up all others. */
const inRealTime = <Row>(due: Statement<Row>): Statement<Row> => sql<Row>`
  select d.* from (${due}) d where d.organization_id not in (select organization_id from test_clocks)
   order by d.due_at limit ${BATCH}`

/** The due rows of one organization. */
export const dueIn = <Row extends Due>(organizationId: number, due: Statement<Row>): Statement<Row> => sql<Row>`
  select d.* from (${due}) d where d.organization_id = ${organizationId} order by d.due_at, d.id limit ${BATCH}`

/** The next moment of one organization; in whole milliseconds, as the clock has them, and never before the due one. */
export const nextMoment = (organizationId: number, { moments, due }: Sweep, time: SweepTime & { until: Date }) =>
  sql<{ at: string | null }>`
    select date_trunc('milliseconds', min(m.due_at) + interval '999 microseconds') as at
      from (${moments?.(time) ?? due({ ...time, now: time.until })}) m
     where m.organization_id = ${organizationId} and m.due_at > ${time.now} and m.due_at <= ${time.until}`
