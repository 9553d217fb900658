// API keys of an organization (docs/interface/general.md, Credentials).
import { Type } from 'typebox'
import { org, orgAtLeast } from '#kernel/values/permissions.ts'
import { route, row } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import {
  ApiKey,
  ApiKeyChange,
  ApiKeyPaging,
  ApiKeyRequest,
  NewApiKey,
  apiKeys,
  changeApiKey,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
} from './api-key.ts'
import { limitRules, Rotation } from './key-limits.ts'

export const apiKeyRoutes = [
  route({
    method: 'GET',
    path: '/auth/api-keys',
    access: org('organization'),
    purpose: 'List the API keys of the organization.',
    description: 'Newest first, without secrets. Those that are revoked are left out; those that have expired are not.',
    query: ApiKeyPaging,
    page: ApiKey,
    read: ({ org: id }, { query }) => apiKeys.page(id, query),
  }),
  route({
    method: 'POST',
    path: '/auth/api-keys',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Create an API key.',
    description:
      'The secret is returned only here. The key ends with the membership of its creator. 409 for more than ' +
      'a hundred that are not revoked.',
    body: ApiKeyRequest,
    rules: limitRules,
    openapi: {
      example: { name: 'ERP', permission: 'read', scopes: ['orders', 'finances'], allowed_ips: ['203.0.113.7'] },
    },
    data: NewApiKey,
    status: 201,
    fails: ['limit_reached'],
    features: { stepUp: true, secret: true },
    run: async (ctx, { body }) => ({
      data: await createApiKey(ctx, body),
      message: 'API key created; keep the secret, it is not shown again',
    }),
  }),
  route({
    method: 'GET',
    path: '/auth/api-keys/{id}',
    access: org('organization'),
    purpose: 'Get an API key.',
    description: 'Without its secret, which is returned only when it is created or rotated. 404 once it is revoked.',
    params: ById,
    data: ApiKey,
    read: ({ org: id }, { params }) => row(apiKeys.live(id, params.id)),
  }),
  route({
    method: 'PATCH',
    path: '/auth/api-keys/{id}',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Update the name, the end or the networks of an API key.',
    description: 'Fields that are absent stay; null takes a limit away. Counts from the next request of the key on.',
    params: ById,
    body: ApiKeyChange,
    rules: limitRules,
    openapi: {
      example: { expires_at: '2027-12-31T23:59:59Z', allowed_ips: ['203.0.113.0/24'] },
    },
    data: ApiKey,
    features: { stepUp: true },
    run: async (ctx, { params, body }) => ({
      data: await changeApiKey(ctx, params.id, body),
      message: 'API key changed',
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/api-keys/{id}/rotate',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Give an API key a new secret.',
    description:
      'Only its creator may. The former secret counts until the overlap is over; 409 while one of an ' +
      'earlier rotation does, unless the overlap is 0, which ends all former secrets and their tokens at ' +
      'once.',
    params: ById,
    body: Rotation,
    openapi: { example: { overlap_minutes: 60 } },
    data: NewApiKey,
    fails: ['key_expired', 'rotation_running'],
    features: { stepUp: true, secret: true },
    run: async (ctx, { params, body }) => ({
      data: await rotateApiKey(ctx, params.id, body),
      message: 'New secret; keep it, it is not shown again',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/auth/api-keys/{id}',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Delete an API key.',
    description:
      'The key and its tokens are refused from the next request on, for good. Any admin may revoke it, not only its ' +
      'creator. 404 when it is revoked already.',
    params: ById,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await revokeApiKey(ctx, params.id)
      return { data: null, message: 'API key revoked' }
    },
  }),
]
