// The jobs of the histories: each act happens at its moment by the customer's test clock, at the end the clock is taken
// off, and one job lets the customers' time pass, one customer after another.
import { Type } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type TestClockRow, testClocks } from '#kernel/data/test-clocks.ts'
import { enqueue, type Job, organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { first, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { Id, Timestamp } from '#kernel/values/schema.ts'
import { advanceTestClock } from '#modules/operations/admin/advance-test-clock.ts'
import { endTestClock } from '#modules/operations/admin/end-test-clock.ts'
import { actsOf, HISTORY_NAMES, type HistoryName } from './histories.ts'

const act = jobKind('demo/act', {
  history: Type.Enum(HISTORY_NAMES),
  since: Timestamp,
  until: Timestamp,
  nth: Type.Integer(),
})
const end = jobKind('demo/end', { organization_id: Id })
const advance = jobKind('demo/advance', { organization_ids: Type.Array(Id), until: Timestamp, stops: Type.Integer() })

type Span = { history: HistoryName; since: string; until: string }

const actsIn = ({ history, since, until }: Span) => actsOf(history, { since: new Date(since), until: new Date(until) })

/** Each act enqueues the next, so that they happen in their order, exactly once, and go on after a stop. */
export async function enqueueAct(ctx: OrganizationContext, told: Span, nth: number): Promise<void> {
  const next = actsIn(told)[nth]
  if (next) return enqueue(ctx, act, { ...told, nth }, { runAt: next.at })
  await enqueue(ctx, end, { organization_id: ctx.organizationId }, { runAt: new Date(told.until) })
}

export const letTimePass = (ctx: SystemContext, organization_ids: number[], until: string): Promise<void> =>
  enqueue(ctx, advance, { organization_ids, until, stops: 0 })

const LOOK_AGAIN_SECONDS = 2
/** On a busy machine a document may take too long three times, which stops a test clock. */
const MOST_STOPS = 10

/**
 * It will not come to its end: nobody could advance it, or an act became a dead letter, so that no other follows. Its
 * clock stays.
 */
const isOver = ({ error, status, now }: TestClockRow, { until, stops }: { until: string; stops: number }): boolean =>
  error === null ? status === 'ready' && new Date(now) >= new Date(until) : stops >= MOST_STOPS

type Log = Record<'info' | 'warn', (details: object, message: string) => void>

export const historyJobs = (log: Log): Job[] => [
  organizationJob(act, {
    before: async ({ ports: { secretKey } }) => ({ secretKey }),
    run: async (ctx, { payload: { nth, ...told } }, tools) => {
      await actsIn(told)[nth]?.run(ctx, tools)
      await enqueueAct(ctx, told, nth + 1)
    },
  }),
  systemJob(end, { run: (ctx, { payload }) => endTestClock(ctx, payload.organization_id) }),
  systemJob(advance, {
    run: async (ctx, { payload: { organization_ids, until, stops } }) => {
      const [id, ...others] = organization_ids
      if (id === undefined) return
      const clock = await first(ctx, testClocks.of(id))
      const next = () => enqueue(ctx, advance, { organization_ids: others, until, stops: 0 })
      if (!clock) {
        log.info({ organization_id: id }, 'a customer of the demo has come to today')
        return next()
      }
      if (isOver(clock, { until, stops })) {
        log.warn({ organization_id: id, now: clock.now, reason: clock.error }, 'a history of the demo has stopped')
        return next()
      }
      if (clock.status !== 'advancing') await advanceTestClock(ctx, id, until)
      const again = { organization_ids, until, stops: stops + (clock.error === null ? 0 : 1) }
      await enqueue(ctx, advance, again, { afterSeconds: LOOK_AGAIN_SECONDS })
    },
  }),
]
