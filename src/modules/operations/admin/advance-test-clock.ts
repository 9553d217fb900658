// POST /admin/organizations/{id}/test-clock/advance: lets time pass for an organization; a job does it, moment by
// moment.
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { testClocks } from '#kernel/data/test-clocks.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import { advanceClock } from '#kernel/jobs/advance-clock.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { assertAllowed } from './start-test-clock.ts'
import { LONGEST_YEARS, type TestClock } from './test-clock.ts'

export async function advanceTestClock(ctx: SystemContext, id: number, until: string): Promise<TestClock> {
  assertAllowed(ctx)
  await ctx.enter(id)
  const clock = await first(ctx, testClocks.of(id))
  if (!clock) throw notFound('The organization has no test clock')
  if (clock.status === 'advancing')
    throw conflict('test_clock_advancing', `The test clock is advancing to ${clock.advancing_to}`)
  const to = new Date(until)
  if (to < new Date(clock.now)) throw invalid({ to: `must not be before ${clock.now}` })
  const furthest = new Date(clock.now)
  furthest.setUTCFullYear(furthest.getUTCFullYear() + LONGEST_YEARS)
  if (to > furthest) throw invalid({ to: `must be at most ${LONGEST_YEARS} years after ${clock.now}` })
  await ctx.ask(testClocks.begin(id, to, ctx.now))
  await enqueue(ctx, advanceClock, { organization_id: id })
  return one(ctx, testClocks.of(id))
}
