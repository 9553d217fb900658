// GET /search: searches all records of the organization that the caller may read.
import { org } from '#kernel/values/permissions.ts'
import type { Searchable } from '#kernel/data/lists/search.ts'
import { route } from '#http/route.ts'
import { searchSchemas } from './search-schemas.ts'
import { search } from './queries.ts'

export function searchRoutes(searchables: readonly Searchable[]) {
  const { Found, SearchQuery } = searchSchemas(searchables.map(({ table }) => table.resource))
  return [
    route({
      method: 'GET',
      path: '/search',
      access: org(),
      purpose: 'Search records by code, number, name, address or domain.',
      description:
        'Finds values of which a word begins with `q`; case, accents and punctuation are ignored. Each kind ' +
        'is searched only if the caller has its scope.',
      query: SearchQuery,
      openapi: { operationId: 'search' },
      page: Found,
      read: ({ org: id }, { query }) => search(searchables, id, query),
    }),
  ]
}
