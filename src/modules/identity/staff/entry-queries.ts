// All SQL of entries of staff.
import { inOrganizations, type Only, organizationName } from '#kernel/data/lists/across.ts'
import { page } from '#http/route.ts'
import { raw, sql, when } from '#kernel/values/sql.ts'
import { entryListing, StaffEntry, type StaffEntryFilters } from './staff-entry.ts'

const columns = raw(Object.keys(StaffEntry.properties).join(', '))

export const staffEntries = {
  pageOfAll: (query: StaffEntryFilters, only: Only, now: Date) =>
    page(query, {
      columns: sql`${columns}, ${organizationName('staff_entries')}`,
      listing: entryListing,
      from: sql`from staff_entries where true ${inOrganizations('organization_id', query, only)}
        ${when(query.user_id, (id) => sql`and user_id = ${id}`)}
        ${when(query.in_force, (isAsked) => sql`and least(ends_at, ended_at) ${isAsked ? sql`>` : sql`<=`} ${now}`)}`,
    }),
  /** Of any organization: which one is not known before. */
  organizationOf: (id: number) => sql<{ organization_id: number; user_id: number }>`
    select organization_id, user_id from staff_entries where id = ${id}`,
  /** Whether the organization is there to be entered. */
  isOpen: (org: number) => sql<{ id: number }>`
    select id from organizations where organization_id = ${org} and id = ${org} and deleted_at is null`,
  /** The last end of the entries by which the person is, or was, in the organization. */
  lastEnd: (org: number, userId: number) => sql<{ ends_at: string | null }>`
    select max(ends_at) as ends_at from access_check_entries where organization_id = ${org} and user_id = ${userId}`,
  inForce: (org: number, id: number, now: Date) => sql<{ id: number }>`
    select id from staff_entries
     where organization_id = ${org} and id = ${id} and ended_at is null and ends_at > ${now}`,
}
