// GET /search: one search over everything that the caller may see in the organization.
import { org } from '#kernel/access/permissions.ts'
import type { Searchable } from '#kernel/data/search.ts'
import { route } from '#kernel/http/route.ts'
import { searchSchemas } from './found.ts'
import { search } from './queries.ts'

export function searchRoutes(searchables: readonly Searchable[]) {
  const { Found, SearchQuery } = searchSchemas(searchables.map(({ table }) => table.resource))
  return [
    route({
      method: 'GET',
      path: '/search',
      operationId: 'search',
      access: org(),
      purpose: 'Find records by code, number, name, address or domain.',
      description:
        'Looks for what begins, at any word, as `q` does; case, accents and punctuation do not count. Each kind is searched only when the caller holds its scope.',
      query: SearchQuery,
      page: Found,
      read: ({ org: id }, { query }) => search(searchables, id, query),
    }),
  ]
}
