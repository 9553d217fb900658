// The endpoints of the vendor's API keys.
import { Type } from 'typebox'
import { vendor } from '#kernel/values/permissions.ts'
import { route, row } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { limitRules, Rotation } from '#modules/identity/auth/keys/key-limits.ts'
import { changeVendorKey, createVendorKey, revokeVendorKey, rotateVendorKey } from './change-vendor-key.ts'
import { vendorKeys } from './queries.ts'
import { NewVendorKey, VendorKey, VendorKeyChange, VendorKeyFilters, VendorKeyRequest } from './vendor-key.ts'

export const vendorKeyRoutes = [
  route({
    method: 'GET',
    path: '/admin/api-keys',
    access: vendor('staff'),
    purpose: 'List the vendor’s API keys.',
    description: 'Those that are revoked are left out; those that have expired are not.',
    query: VendorKeyFilters,
    page: VendorKey,
    read: (_, { query }) => vendorKeys.page(query),
  }),
  route({
    method: 'GET',
    path: '/admin/api-keys/{id}',
    access: vendor('staff'),
    purpose: 'Get an API key of the vendor.',
    description: 'Without its secret. 404 once it is revoked; one that has expired is still there.',
    params: ById,
    data: VendorKey,
    read: (_, { params }) => row(vendorKeys.live(params.id)),
  }),
  route({
    method: 'POST',
    path: '/admin/api-keys',
    access: vendor('staff'),
    purpose: 'Create an API key of the vendor.',
    description:
      'For programs of the vendor that work across organizations. The secret is returned only here. Nobody ' +
      'gives a key what they may not do themselves. It stays when its creator leaves.',
    body: VendorKeyRequest,
    rules: limitRules,
    openapi: {
      example: {
        name: 'Data warehouse',
        permissions: ['orders:read', 'finances:read'],
        allowed_ips: ['203.0.113.0/24'],
      },
    },
    data: NewVendorKey,
    status: 201,
    features: { stepUp: true, secret: true },
    run: async (ctx, { body }) => ({
      data: await createVendorKey(ctx, body),
      message: 'API key created; keep the secret, it is not shown again',
    }),
  }),
  route({
    method: 'PATCH',
    path: '/admin/api-keys/{id}',
    access: vendor('staff'),
    purpose: 'Update an API key of the vendor.',
    description: 'Fields that are absent stay; null takes a limit away. Counts from the next request of the key on.',
    params: ById,
    body: VendorKeyChange,
    rules: limitRules,
    openapi: { example: { permissions: ['orders:read'], organization_ids: [1] } },
    data: VendorKey,
    features: { stepUp: true },
    run: async (ctx, { params, body }) => ({
      data: await changeVendorKey(ctx, params.id, body),
      message: 'API key changed',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/api-keys/{id}/rotate',
    access: vendor('staff'),
    purpose: 'Give an API key of the vendor a new secret.',
    description:
      'The former secret counts until the overlap is over; 409 while one of an earlier rotation does, ' +
      'unless the overlap is 0, which ends all former secrets and their tokens at once.',
    params: ById,
    body: Rotation,
    openapi: { example: { overlap_minutes: 60 } },
    data: NewVendorKey,
    fails: ['key_expired', 'rotation_running'],
    features: { stepUp: true, secret: true },
    run: async (ctx, { params, body }) => ({
      data: await rotateVendorKey(ctx, params.id, body),
      message: 'New secret; keep it, it is not shown again',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/api-keys/{id}',
    access: vendor('staff'),
    purpose: 'Delete an API key of the vendor.',
    description: 'It and its tokens are refused from the next request on.',
    params: ById,
    data: Type.Null(),
    features: { stepUp: true },
    run: async (ctx, { params }) => {
      await revokeVendorKey(ctx, params.id)
      return { data: null, message: 'API key revoked' }
    },
  }),
]
