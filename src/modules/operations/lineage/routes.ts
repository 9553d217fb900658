// GET /entitlements/{id}/lineage, GET /entitlements/code/{code}/lineage, and backwards: GET /lineage.
import { Type } from 'typebox'
import { org } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'
import { Lineage, Origin, OriginQuery } from './lineage.ts'
import { lineageOf } from './lineage-of.ts'
import { origins } from './origins.ts'

export const lineageRoutes = [
  route({
    method: 'GET',
    path: '/entitlements/{id}/lineage',
    access: org('entitlements'),
    purpose: 'Get the records that belong to an entitlement.',
    description:
      'Of each kind the newest 20, with `counts` of all and `links` to the whole lists. A part whose scope the ' +
      'caller lacks is null.',
    params: ById,
    openapi: { tag: 'entitlements' },
    data: Lineage,
    read: ({ org: id }, { params }) => lineageOf(id, sql`${params.id}::bigint`),
  }),
  route({
    method: 'GET',
    path: '/entitlements/code/{code}/lineage',
    access: org('entitlements'),
    purpose: 'Get the records that belong to an entitlement, by its code.',
    description: 'As `GET /entitlements/{id}/lineage`. 404 for a code of another organization.',
    params: Closed({ code: Type.String({ maxLength: 100, examples: ['PLG-2026110001'] }) }),
    openapi: { operationId: 'getEntitlementLineageByCode', tag: 'entitlements' },
    data: Lineage,
    read: ({ org: id }, { params }) =>
      lineageOf(id, sql`(select c.id from entitlements c where c.organization_id = ${id} and c.code = ${params.code})`),
  }),
  route({
    method: 'GET',
    path: '/lineage',
    access: org('entitlements'),
    purpose: 'List the entitlements that a quote, order, invoice, tax invoice, ticket or license belongs to.',
    description:
      'Needs exactly one of the parameters. 404 when the organization has no such record, or the caller ' +
      'lacks its scope.',
    query: OriginQuery,
    openapi: { tag: 'entitlements' },
    page: Origin,
    read: ({ org: id }, { query }) => origins(id, query),
  }),
]
