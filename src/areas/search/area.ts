// The search. Each area declares which of its records it finds.
import { area } from '#kernel/area.ts'
import type { Searchable } from '#kernel/data/search.ts'
import { searchRoutes } from './routes.ts'

export const searchArea = (searchables: readonly Searchable[]) =>
  area({
    name: 'search',
    description: 'Search over all records that the caller may see.',
    routes: searchRoutes(inOrderShown(searchables)),
  })

const inOrderShown = (all: readonly Searchable[]): Searchable[] => [
  ...all.filter(({ isLast }) => !isLast),
  ...all.filter(({ isLast }) => isLast),
]
