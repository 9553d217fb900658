// POST /admin/organizations/{id}/entries: says why the caller enters the organization, for a time.
import { insert } from '#kernel/data/changes.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { isOrganization } from '#kernel/access/access-check.ts'
import { invalid, notFound } from '#kernel/values/errors.ts'
import { numberIn } from '#ports/settings-in-force.ts'
import { sql } from '#kernel/values/sql.ts'
import { type NewStaffEntry, type StaffEntry, staffEntriesTable } from './staff-entry.ts'

const MINUTE_MS = 60_000

/** No row for no organization. */
const mostMinutes = ({ settings }: SystemContext, id: number) => sql<{ most: number }>`
  select ${numberIn(settings, 'staff_entry_minutes')} as most where exists (${isOrganization(id)})`

export async function enterOrganization(
  ctx: SystemContext,
  id: number,
  { reason, minutes }: NewStaffEntry,
): Promise<StaffEntry> {
  const inside = await ctx.enter(id)
  const found = await first(ctx, mostMinutes(ctx, id))
  if (!found) throw notFound('Organization not found')
  const { most } = found
  if (minutes !== undefined && minutes > most) throw invalid({ minutes: `must be at most ${most}` })
  const { userId, name } = ctx.caller
  return insert({ ...inside, reason }, staffEntriesTable, {
    user_id: userId ?? undefined,
    user_name: name,
    reason,
    // By the time of the service, also where the organization has a time of its own: so are entries judged.
    ends_at: new Date(ctx.now.getTime() + (minutes ?? most) * MINUTE_MS).toISOString(),
  })
}
