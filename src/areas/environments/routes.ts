// Spec 4.8, reading.
import { org } from '#kernel/permissions.ts'
import { route } from '#kernel/route.ts'
import { ById } from '#kernel/schema.ts'
import { Environment, EnvironmentFilters } from './environment.ts'
import { environments } from './queries.ts'

export const environmentRoutes = [
  route({
    method: 'GET',
    path: '/environments',
    access: org('entitlements'),
    purpose: 'List the environments of the organization.',
    query: EnvironmentFilters,
    page: Environment,
    read: ({ org: id }, { query }) => environments.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/environments/{id}',
    access: org('entitlements'),
    purpose: 'One environment.',
    params: ById,
    data: Environment,
    read: ({ org: id }, { params }) => environments.byId(id, params.id),
  }),
]
