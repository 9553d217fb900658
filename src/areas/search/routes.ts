// GET /search: one search over everything that the caller may see in the organization.
import { org } from '#kernel/access/permissions.ts'
import type { Searchable } from '#kernel/data/search.ts'
import { route } from '#kernel/http/route.ts'
import { searchSchemas } from './search-schemas.ts'
import { search } from './queries.ts'

export function searchRoutes(searchables: readonly Searchable[]) {
  const { Found, SearchQuery } = searchSchemas(searchables.map(({ table }) => table.resource))
  return [
    route({
      method: 'GET',
      path: '/search',
      operationId: 'search',
      access: org(),
      purpose: 'Search records by code, number, name, address or domain.',
      description:
        'Finds values of which a word begins with `q`; case, accents and punctuation are ignored. Each kind is searched only if the caller has its scope.',
      query: SearchQuery,
      page: Found,
      read: ({ org: id }, { query }) => search(searchables, id, query),
    }),
  ]
}
