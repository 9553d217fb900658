// What customers see of the entries of staff: everything.
import { publishedResource } from '#kernel/data/published.ts'
import { StaffEntry, staffEntriesTable } from './staff-entry.ts'

export const publishedStaffEntries = publishedResource(staffEntriesTable, {
  scopes: ['organization'],
  record: StaffEntry,
  events: {
    created: 'A person of the vendor’s staff said why they enter the organization, and for how long.',
    ended: 'The entry of a person of the vendor’s staff was ended before its time.',
  },
})
