// The routes of entitlements (spec 4.3, docs/interface.md).
import { inFuture } from '#kernel/values/time-rules.ts'
import { Type } from 'typebox'
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { createEntitlement, allocateEntitlementCode } from './create-entitlement.ts'
import {
  Entitlement,
  EntitlementChange,
  EntitlementFilters,
  EntitlementRenewal,
  NewEntitlement,
} from './entitlement.ts'
import { entitlements } from './queries.ts'
import {
  cancelEntitlement,
  changeEntitlement,
  renewEntitlement,
  resumeEntitlement,
  suspendEntitlement,
} from './move-entitlement.ts'

// Any text: a malformed code is unknown, like any other.
const ByCode = Closed({ code: Type.String({ maxLength: 100, examples: ['PLG-2026110001'] }) })

export const entitlementRoutes = [
  route({
    method: 'GET',
    path: '/entitlements',
    access: org('entitlements'),
    purpose: 'List the entitlements of the organization.',
    query: EntitlementFilters,
    page: Entitlement,
    read: ({ org: id }, { query }) => entitlements.page(id, query),
  }),
  route({
    method: 'POST',
    path: '/entitlements',
    access: staff,
    purpose: 'Create an entitlement.',
    body: NewEntitlement,
    example: {
      class: 'PLG',
      product_name: 'Backup Pro',
      organization_id: 1,
      company: 'entity_br',
      expires_at: '2027-11-20T00:00:00.000Z',
    },
    data: Entitlement,
    status: 201,
    allocates: (io, { body }) => allocateEntitlementCode(io, body.class),
    run: async (ctx, { body }, code) => ({
      data: await createEntitlement(ctx, body, code),
      message: 'Entitlement created',
    }),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}',
    access: org('entitlements'),
    purpose: 'Get an entitlement.',
    params: ById,
    data: Entitlement,
    read: ({ org: id }, { params }) => entitlements.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/entitlements/{id}',
    access: staff,
    purpose: 'Update an entitlement.',
    description: 'Name, description, end, product, what it covers of the product’s releases, or metadata.',
    params: ById,
    body: EntitlementChange,
    example: { expires_at: '2028-01-31T00:00:00.000Z' },
    data: Entitlement,
    run: async (ctx, { params, body }) => ({
      data: await changeEntitlement(ctx, params.id, body),
      message: 'Entitlement updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/entitlements/code/{code}',
    operationId: 'getEntitlementByCode',
    access: org('entitlements'),
    purpose: 'Get an entitlement by its code.',
    params: ByCode,
    data: Entitlement,
    read: ({ org: id }, { params }) => entitlements.byCode(id, params.code),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/suspend',
    access: staff,
    purpose: 'Suspend an entitlement, with its licenses and environments.',
    params: ById,
    data: Entitlement,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({
      data: await suspendEntitlement(ctx, params.id),
      message: 'Entitlement suspended',
    }),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/resume',
    access: staff,
    purpose: 'Resume an entitlement, with the licenses and environments that were suspended with it.',
    params: ById,
    data: Entitlement,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await resumeEntitlement(ctx, params.id), message: 'Entitlement resumed' }),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/cancel',
    access: staff,
    purpose: 'Cancel an entitlement permanently.',
    params: ById,
    data: Entitlement,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({
      data: await cancelEntitlement(ctx, params.id),
      message: 'Entitlement cancelled',
    }),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/renew',
    access: staff,
    purpose: 'Renew an expired entitlement.',
    params: ById,
    body: EntitlementRenewal,
    rules: ({ expires_at }, { now }) => inFuture('expires_at', expires_at, now),
    example: { expires_at: '2027-11-20T00:00:00.000Z' },
    data: Entitlement,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await renewEntitlement(ctx, params.id, body.expires_at ?? null),
      message: 'Entitlement renewed',
    }),
  }),
]
