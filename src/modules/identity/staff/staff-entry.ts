// An entry of staff into an organization: who, why, and until when.
import { Type, type Static } from 'typebox'
import { acrossItem } from '#kernel/data/lists/across.ts'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

const Reason = Type.String({
  ...Name,
  maxLength: 500,
  description: 'The organization reads it in its audit log',
  examples: ['Ticket SR-20260042: the license does not activate'],
})

export const StaffEntry = Type.Object(
  {
    id: Id,
    organization_id: Id,
    user_id: Id,
    user_name: Name,
    reason: Reason,
    ends_at: { ...Timestamp, description: 'Until when it was made' },
    ended_at: Nullable({ ...Timestamp, description: 'When it was ended before that' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'Why a person of the vendor’s staff works in the organization, and until when' },
)
export type StaffEntry = Static<typeof StaffEntry>

export const NewStaffEntry = Closed({
  reason: Reason,
  minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: 'How long it lasts; by default, and at most, what `staff_entry_minutes` says',
      examples: [30],
    }),
  ),
})
export type NewStaffEntry = Static<typeof NewStaffEntry>

export const StaffEntryOfAll = acrossItem(StaffEntry)
export const entryListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const StaffEntryFilters = Closed({
  ...Paging,
  ...entryListing.parameters,
  organization_id: Type.Optional(Id),
  user_id: Type.Optional({ ...Id, description: 'Who entered' }),
  in_force: Type.Optional(Type.Boolean({ description: 'Whether it still admits the person', examples: [true] })),
})
export type StaffEntryFilters = Static<typeof StaffEntryFilters>

export const staffEntriesTable = table('staff_entries', 'staff_entry', StaffEntry, {
  events: ['ended'],
  changeable: ['ended_at'],
})
