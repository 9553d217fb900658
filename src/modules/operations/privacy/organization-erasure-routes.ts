// The erasure of organizations, by administrators (docs/interface/operations.md, Privacy).
import { vendor } from '#kernel/values/permissions.ts'
import type { ErasureRules } from './organization-erasure.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { OrganizationErasure, OrganizationErasureFilters, OrganizationErasurePreview } from './organization-erasure.ts'
import { organizationErasures } from './organization-erasures.ts'
import {
  cancelOrganizationErasure,
  previewErasure,
  requestOrganizationErasure,
} from './request-organization-erasure.ts'

export const organizationErasureRoutes = (rules: ErasureRules) => [
  route({
    method: 'GET',
    path: '/admin/privacy/organizations/{id}/erasure',
    access: vendor('users'),
    purpose: 'Get what the erasure of an organization removes, what stays until when, and what stands in its way.',
    description: 'Changes nothing, and does not need the organization to be deleted.',
    params: ById,
    openapi: { operationId: 'getOrganizationErasure' },
    data: OrganizationErasurePreview,
    fails: ['NOT_FOUND'],
    read: ({ ports: { settings }, now }, { params }) => previewErasure({ settings, now, rules }, params.id),
  }),
  route({
    method: 'POST',
    path: '/admin/privacy/organizations/{id}/erasure',
    access: vendor('users'),
    purpose: 'Request that a deleted organization be erased.',
    description:
      'It begins at `due_at`; until then it can be cancelled, also by restoring the organization. Then its ' +
      'records are removed but for what fiscal law demands, which goes at `kept_until`. 409 unless the ' +
      'organization is deleted and nothing of it is open.',
    params: ById,
    openapi: { operationId: 'createOrganizationErasure' },
    data: OrganizationErasure,
    status: 202,
    fails: ['already_in_progress', 'not_deleted', 'still_open'],
    features: { stepUp: true },
    run: async (ctx, { params }) => ({
      data: await requestOrganizationErasure(ctx, params.id, rules),
      message: 'The erasure is scheduled',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/privacy/organizations/{id}/erasure/cancel',
    access: vendor('users'),
    purpose: 'Cancel the erasure of an organization.',
    description: '409 unless one is scheduled.',
    params: ById,
    openapi: { operationId: 'cancelOrganizationErasure' },
    data: OrganizationErasure,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await cancelOrganizationErasure(ctx, params.id),
      message: 'The erasure is cancelled',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/privacy/organization-erasures',
    access: vendor('users'),
    purpose: 'List the erasures of organizations.',
    description:
      'Newest first, cancelled ones too; what is kept until `kept_until` is listed at `GET ' +
      '/admin/privacy/organizations/{id}/erasure`.',
    query: OrganizationErasureFilters,
    openapi: { operationId: 'listOrganizationErasures' },
    page: OrganizationErasure,
    read: (_, { query }) => organizationErasures.page(query),
  }),
]
