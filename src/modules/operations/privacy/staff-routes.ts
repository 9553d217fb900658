// Privacy for staff: exports and erasures of people who cannot ask for them by themselves.
import { vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { Erasure, ErasureFilters, ErasureForStaff } from './erasure.ts'
import { ExportLink, PersonExport, PersonExportFilters } from './export.ts'
import { linkTo, OF_PERSON } from './export-link.ts'
import { erasures, personExports } from './queries.ts'
import { cancelErasure, requestErasure } from './request-erasure.ts'
import { requestPersonExport } from './request-export.ts'

export const privacyStaffRoutes = [
  route({
    method: 'POST',
    path: '/admin/privacy/users/{id}/exports',
    access: vendor('users'),
    purpose: 'Request an export of what is kept about a person.',
    description: 'As `POST /privacy/exports` does for the person. 409 while another one is being made.',
    params: ById,
    openapi: { operationId: 'createPersonExport' },
    data: PersonExport,
    status: 202,
    fails: ['already_in_progress', 'status_not_allowed'],
    features: { stepUp: true },
    run: async (ctx, { params }) => ({
      data: await requestPersonExport(ctx, params.id),
      message: 'The export is being made',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/privacy/exports',
    access: vendor('users'),
    purpose: 'List the exports of people.',
    description: 'Newest first, those that people requested themselves too.',
    query: PersonExportFilters,
    openapi: { operationId: 'listPersonExports' },
    page: PersonExport,
    read: (_, { query }) => personExports.page(query),
  }),
  route({
    method: 'POST',
    path: '/admin/privacy/exports/{id}/link',
    access: vendor('users'),
    purpose: 'Create a link to an export of a person.',
    description: 'The link needs no credentials and is good for some minutes. 409 unless the export is completed.',
    params: ById,
    openapi: { operationId: 'createPersonExportLink' },
    data: ExportLink,
    fails: ['status_not_allowed'],
    features: { secret: true, stepUp: true },
    read: (context, { params }) => linkTo(OF_PERSON, context, { owner: null, id: params.id }),
  }),
  route({
    method: 'GET',
    path: '/admin/privacy/erasures',
    access: vendor('users'),
    purpose: 'List the erasures of people.',
    description: 'Newest first, cancelled ones too. `problem` is why one that was due did not begin.',
    query: ErasureFilters,
    openapi: { operationId: 'listErasures' },
    page: ErasureForStaff,
    read: (_, { query }) => erasures.page(query),
  }),
  route({
    method: 'POST',
    path: '/admin/privacy/users/{id}/erasure',
    access: vendor('users'),
    purpose: 'Request that a person be erased.',
    description: 'As `POST /privacy/erasure` does for the person, who gets a mail and can cancel it.',
    params: ById,
    openapi: { operationId: 'createErasure' },
    data: Erasure,
    status: 202,
    fails: ['already_in_progress', 'last_administrator', 'last_owner', 'status_not_allowed'],
    features: { stepUp: true },
    run: async (ctx, { params }) => ({
      data: await requestErasure(ctx, params.id),
      message: 'The erasure is scheduled',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/privacy/users/{id}/erasure/cancel',
    access: vendor('users'),
    purpose: 'Cancel the erasure of a person.',
    description: '409 unless one is scheduled.',
    params: ById,
    openapi: { operationId: 'cancelErasure' },
    data: Erasure,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await cancelErasure(ctx, params.id),
      message: 'The erasure is cancelled',
    }),
  }),
]
