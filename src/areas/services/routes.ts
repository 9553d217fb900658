// Spec 4.9, reading services.
import { org } from '#kernel/permissions.ts'
import { route } from '#kernel/route.ts'
import { ById } from '#kernel/schema.ts'
import { services } from './queries.ts'
import { Service, ServiceFilters } from './service.ts'

export const serviceRoutes = [
  route({
    method: 'GET',
    path: '/services',
    access: org('entitlements'),
    purpose: 'List the services of the organization.',
    query: ServiceFilters,
    page: Service,
    read: ({ org: id }, { query }) => services.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/services/{id}',
    access: org('entitlements'),
    purpose: 'One service.',
    params: ById,
    data: Service,
    read: ({ org: id }, { params }) => services.byId(id, params.id),
  }),
]
