// Spec 4.7, reading.
import { org } from '#kernel/permissions.ts'
import { route } from '#kernel/route.ts'
import { ById } from '#kernel/schema.ts'
import { License, LicenseFilters } from './license.ts'
import { licenses } from './queries.ts'

export const licenseRoutes = [
  route({
    method: 'GET',
    path: '/licenses',
    access: org('licenses'),
    purpose: 'List the licenses of the organization.',
    query: LicenseFilters,
    page: License,
    read: ({ org: id }, { query }) => licenses.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/licenses/{id}',
    access: org('licenses'),
    purpose: 'One license.',
    params: ById,
    data: License,
    read: ({ org: id }, { params }) => licenses.byId(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/licenses',
    access: org('entitlements'),
    purpose: 'The licenses of an entitlement.',
    params: ById,
    query: LicenseFilters,
    page: License,
    read: ({ org: id }, { params, query }) => licenses.ofEntitlement(id, params.id, query),
  }),
]
