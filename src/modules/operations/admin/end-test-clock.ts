// Takes the test clock off an organization whose time has come to the real one: from then on it is like any other.
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import { update } from '#kernel/data/changes.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'

/** What is due between its time and the real one is made up for by the sweeps. */
export async function endTestClock(ctx: SystemContext, id: number): Promise<void> {
  const inside = await ctx.enter(id)
  await update(inside, organizationsTable, id, { has_test_clock: false })
  await ctx.ask(removal(id))
}

/** What its jobs wait for is a moment of the real time from now on. */
const removal = (org: number) => sql`
  with clock as (delete from test_clocks where organization_id = ${org} returning organization_id),
       sequence as (
    update event_sequences s set test_clock = null from clock where s.organization_id = clock.organization_id)
  update jobs j set run_at = j.waits_for, waits_for = null from clock
   where j.organization_id = clock.organization_id and j.waits_for is not null`
