// POST /admin/organizations/{id}/entries: says why the caller enters the organization, for a time.
import { insert } from '#kernel/data/changes.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { isOrganization } from '#kernel/access/access-check.ts'
import { invalid, notFound } from '#kernel/values/errors.ts'
import { type NewStaffEntry, type StaffEntry, staffEntriesTable } from './staff-entry.ts'

const MINUTE_MS = 60_000

export async function enterOrganization(
  ctx: SystemContext,
  id: number,
  { reason, minutes }: NewStaffEntry,
): Promise<StaffEntry> {
  const { staffEntryMinutes: most } = ctx.settings
  if (minutes !== undefined && minutes > most) throw invalid({ minutes: `must be at most ${most}` })
  const inside = await ctx.enter(id)
  if (!(await first(ctx, isOrganization(id)))) throw notFound('Organization not found')
  const { userId, name } = ctx.caller
  return insert({ ...inside, reason }, staffEntriesTable, {
    user_id: userId ?? undefined,
    user_name: name,
    reason,
    // By the time of the service, also where the organization has a time of its own: so are entries judged.
    ends_at: new Date(ctx.now.getTime() + (minutes ?? most) * MINUTE_MS).toISOString(),
  })
}
