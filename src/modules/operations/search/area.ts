// The search. Each area declares which of its records it finds.
import { area } from '#http/manifest/area.ts'
import type { Searchable, StaffSearchable } from '#kernel/data/lists/search.ts'
import { searchRoutes } from './routes.ts'
import { staffSearchRoutes } from './staff-routes.ts'

export const searchArea = area({
  name: 'search',
  description: 'Search over all records that the caller may see.',
  fromAll: ({ searchable, staffSearchable }) => ({
    routes: [...searchRoutes(inOrderListed(searchable)), ...staffSearchRoutes(acrossOf(searchable, staffSearchable))],
  }),
})

const inOrderListed = (all: readonly Searchable[]): Searchable[] => [
  ...all.filter(({ isLast }) => !isLast),
  ...all.filter(({ isLast }) => isLast),
]

/** What is about organizations and people comes first. */
const acrossOf = (all: readonly Searchable[], ofStaff: readonly StaffSearchable[]): StaffSearchable[] => [
  ...ofStaff,
  ...inOrderListed(all).map(({ scope, and, ofStaff: other, table, label }) => ({
    scope: other ?? scope,
    ...(and && { and }),
    kind: table.resource,
    table,
    label,
  })),
]
