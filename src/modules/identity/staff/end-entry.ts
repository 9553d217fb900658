// POST /admin/entries/{id}/end: ends an entry of staff before its time.
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { update } from '#kernel/data/changes.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { staffEntries } from './entry-queries.ts'
import { type StaffEntry, staffEntriesTable } from './staff-entry.ts'

/** Counts from the next request of the person on, where staff need an entry. 409 for one that is over. */
export async function endEntry(ctx: SystemContext, id: number): Promise<StaffEntry> {
  const entry = await first(ctx, staffEntries.organizationOf(id))
  if (!entry) throw notFound()
  const { caller, now } = ctx
  if (entry.user_id !== caller.userId && !caller.permissions?.includes(permissionFor('staff', true)))
    throw forbidden('not_yours', 'Only the person who entered, or an administrator, ends an entry')
  const inside = await ctx.enter(entry.organization_id)
  // Read again: of two who end it at once, the second has waited for the first.
  if (!(await first(inside, staffEntries.inForce(entry.organization_id, id, now))))
    throw conflict('status_not_allowed', 'The entry is over already')
  return update(inside, staffEntriesTable, id, { ended_at: now.toISOString() }, staffEntriesTable.events.ended)
}
