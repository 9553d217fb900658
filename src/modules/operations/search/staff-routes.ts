// GET /admin/search: searches the records of all organizations that the caller's permissions allow to list.
import { anyStaff } from '#kernel/values/permissions.ts'
import { searchAcross } from './search-across.ts'
import type { StaffSearchable } from '#kernel/data/lists/search.ts'
import { route } from '#http/route.ts'
import { staffSearchSchemas } from './search-schemas.ts'

export function staffSearchRoutes(searchables: readonly StaffSearchable[]) {
  const { FoundAcross, StaffSearchQuery } = staffSearchSchemas([...new Set(searchables.map(({ kind }) => kind))])
  return [
    route({
      method: 'GET',
      path: '/admin/search',
      access: anyStaff,
      purpose: 'Search the records of all organizations by code, number, key, domain, CNPJ, name or e-mail address.',
      description:
        'Finds values of which a word begins with `q`, license keys that begin with it, and users whose ' +
        'e-mail address, login or name does; case, accents and punctuation are ignored. Each kind is ' +
        'searched only if the caller’s permissions allow to list it. At most 100 of each kind.',
      query: StaffSearchQuery,
      openapi: { operationId: 'search' },
      page: FoundAcross,
      features: { limitsOrganizations: true },
      read: ({ organizations: only }, { query }) => searchAcross(searchables, query, only),
    }),
  ]
}
