// Spec 4.10, reading.
import { org } from '#kernel/permissions.ts'
import { route } from '#kernel/route.ts'
import { ById } from '#kernel/schema.ts'
import { Contract, ContractFilters } from './contract.ts'
import { contracts } from './queries.ts'

export const contractRoutes = [
  route({
    method: 'GET',
    path: '/contracts',
    access: org('contracts'),
    purpose: 'List the contracts of the organization.',
    query: ContractFilters,
    page: Contract,
    read: ({ org: id }, { query }) => contracts.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/contracts/{id}',
    access: org('contracts'),
    purpose: 'One contract.',
    params: ById,
    data: Contract,
    read: ({ org: id }, { params }) => contracts.byId(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/contracts',
    access: org('entitlements'),
    purpose: 'The contracts of an entitlement.',
    params: ById,
    query: ContractFilters,
    page: Contract,
    read: ({ org: id }, { params, query }) => contracts.ofEntitlement(id, params.id, query),
  }),
]
