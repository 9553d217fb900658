// POST /admin/organizations/{id}/test-clock: gives a new organization a time of its own, which stands still.
import { type Organization, organizationsTable } from '#modules/identity/organizations/organization.ts'
import { update } from '#kernel/data/changes.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { testClocks } from '#kernel/data/test-clocks.ts'
import { conflict } from '#kernel/values/errors.ts'
import type { TestClock } from './test-clock.ts'

export async function startTestClock(ctx: SystemContext, id: Organization['id'], now: string): Promise<TestClock> {
  assertAllowed(ctx)
  const inside = await ctx.enter(id)
  if (await first(ctx, testClocks.of(id))) throw conflict('test_clock_exists', 'The organization has a test clock')
  // What happened in real time would lie in the future of its clock, or be made up for all at once.
  if (await first(ctx, testClocks.hasRecords(id)))
    throw conflict('organization_not_new', 'Only a new organization, without records, gets a test clock')
  await update(inside, organizationsTable, id, { has_test_clock: true })
  await ctx.ask(testClocks.start(id, new Date(now), ctx.now))
  return one(ctx, testClocks.of(id))
}

/** Outside of the sandbox no time but the real one exists, whatever the database holds. */
export function assertAllowed({ settings }: Pick<SystemContext, 'settings'>): void {
  if (!settings.testClocks) throw conflict('sandbox_only', 'Test clocks exist in the sandbox only')
}
