// API keys of an organization (docs/interface.md, Credentials).
import { Type } from 'typebox'
import { org, orgAtLeast } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { ApiKey, ApiKeyPaging, ApiKeyRequest, NewApiKey, apiKeys, createApiKey, revokeApiKey } from './api-key.ts'

export const apiKeyRoutes = [
  route({
    method: 'GET',
    path: '/auth/api-keys',
    access: org('organization'),
    purpose: 'List the API keys of the organization.',
    query: ApiKeyPaging,
    page: ApiKey,
    read: ({ org: id }, { query }) => apiKeys.page(id, query),
  }),
  route({
    method: 'POST',
    path: '/auth/api-keys',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Create an API key.',
    description: 'The secret is returned only here. The key ends with the membership of its creator.',
    body: ApiKeyRequest,
    example: { name: 'ERP', permission: 'read', scopes: ['orders', 'finances'] },
    data: NewApiKey,
    status: 201,
    secret: true,
    run: async (ctx, { body }) => ({
      data: await createApiKey(ctx, body),
      message: 'API key created; keep the secret, it is not shown again',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/auth/api-keys/{id}',
    operationId: 'revokeApiKey',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Revoke an API key.',
    params: ById,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await revokeApiKey(ctx, params.id)
      return { data: null, message: 'API key revoked' }
    },
  }),
]
