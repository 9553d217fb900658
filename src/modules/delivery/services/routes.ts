// Spec 4.9, services, and what docs/interface/delivery.md adds to it.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { historyPage, HistoryPaging } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { serviceRecord } from './service-record.ts'
import { milestoneRoutes } from './milestone-routes.ts'
import { acceptDelivery, moveService, rejectDelivery } from './move-service.ts'
import { changeService, createService } from './open-service.ts'
import { services } from './queries.ts'
import {
  DeliveryRejection,
  NewService,
  Service,
  ServiceChange,
  AdministratorsServiceFilters,
  ServiceFilters,
  serviceHistory,
  ServiceHistoryEntry,
  ServiceStatusChange,
} from './service.ts'

export const serviceRoutes = [
  route({
    method: 'GET',
    path: '/services',
    access: org('entitlements'),
    purpose: 'List the services of the organization.',
    description: 'Newest first, closed and cancelled ones too.',
    query: ServiceFilters,
    page: Service,
    features: { record: serviceRecord },
    read: ({ org: id }, { query }) => services.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/services',
    access: vendor('entitlements'),
    purpose: 'List the services of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsServiceFilters,
    page: acrossItem(Service),
    features: { record: serviceRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => services.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/services',
    access: staff('entitlements'),
    purpose: 'Create a service for an SVC entitlement.',
    description:
      'It begins as `proposal`, or as `approved` when that is given; nobody is mailed. What is sold by a quote gets ' +
      'its service when it is paid. 422 unless the entitlement is the organization’s and of the class SVC; 409 ' +
      'unless it is active.',
    body: NewService,
    openapi: { example: { name: 'Migration of the old campus', lifecycle: 'project', entitlement_id: 3 } },
    data: Service,
    status: 201,
    fails: ['external_id_taken', 'entitlement_not_active'],
    run: async (ctx, { body }) => ({ data: await createService(ctx, body), message: 'Service added' }),
  }),
  route({
    method: 'GET',
    path: '/services/{id}',
    access: org('entitlements'),
    purpose: 'Get a service.',
    description: 'Its milestones and its history, with the notes of each status, have lists of their own.',
    params: ById,
    data: Service,
    features: { record: serviceRecord },
    read: ({ org: id }, { params }) => services.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/services/{id}',
    access: staff('entitlements'),
    purpose: 'Update a service.',
    description: 'Only the given fields change.',
    params: ById,
    body: ServiceChange,
    openapi: { example: { description: 'Courses, users and grades' } },
    data: Service,
    fails: ['external_id_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeService(ctx, params.id, body),
      message: 'Service updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/services/{id}/status',
    access: staff('entitlements'),
    purpose: 'Update the status of a service.',
    description: 'The `note` is kept in the history, which customers can read. A delivery is announced by mail.',
    params: ById,
    body: ServiceStatusChange,
    openapi: { example: { status: 'in_progress', note: 'The team starts on Monday' } },
    data: Service,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => {
      const { status, note } = ownBody(ctx, body)
      return { data: await moveService(ctx, params.id, status, note ?? null), message: `Service is ${status}` }
    },
  }),
  route({
    method: 'GET',
    path: '/services/{id}/history',
    access: org('entitlements'),
    purpose: 'List the status history of a service.',
    description: 'Oldest first.',
    params: ById,
    query: HistoryPaging,
    page: ServiceHistoryEntry,
    read: ({ org: id }, { params, query }) => historyPage(serviceHistory, id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/services/{id}/accept-delivery',
    access: org('entitlements'),
    purpose: 'Accept a delivery and close the service.',
    description:
      'It stays closed, its milestones cannot change any more, and the history says that it was accepted. Nobody is ' +
      'mailed, and no money moves. 409 unless it is delivered.',
    params: ById,
    data: Service,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await acceptDelivery(ctx, params.id), message: 'Delivery accepted' }),
  }),
  route({
    method: 'POST',
    path: '/services/{id}/reject-delivery',
    access: org('entitlements'),
    purpose: 'Reject a delivery and reopen the service.',
    description:
      'It is in progress again, with the `reason` in its history, and staff may deliver it again. Nobody is mailed. ' +
      '409 unless it is delivered.',
    params: ById,
    body: DeliveryRejection,
    openapi: { example: { reason: 'Two courses are missing' } },
    data: Service,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await rejectDelivery(ctx, params.id, body.reason),
      message: 'Delivery rejected',
    }),
  }),
  ...milestoneRoutes,
]
