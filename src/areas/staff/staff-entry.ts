// An entry of staff into an organization: who, why, and until when.
import { Type, type Static } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Name, Timestamp } from '#kernel/values/schema.ts'

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
    ends_at: Timestamp,
    created_at: Timestamp,
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
      description: 'How long it lasts; by default, and at most, what `STAFF_ENTRY_MINUTES` says',
      examples: [30],
    }),
  ),
})
export type NewStaffEntry = Static<typeof NewStaffEntry>

export const staffEntriesTable = table('staff_entries', 'staff_entry', StaffEntry)
