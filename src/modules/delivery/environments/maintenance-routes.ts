// Maintenance windows of an environment.
import { maintenanceRules } from './plan-maintenance.ts'
import { org, staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Paging } from '#kernel/values/schema.ts'
import { cancelMaintenance, changeMaintenance, planMaintenance } from './plan-maintenance.ts'
import { maintenanceWindows } from './maintenance-queries.ts'
import { ByWindow, MaintenanceWindow, MaintenanceWindowChange, NewMaintenanceWindow } from './maintenance-window.ts'

export const maintenanceRoutes = [
  route({
    method: 'GET',
    path: '/environments/{id}/maintenance-windows',
    access: org('entitlements'),
    purpose: 'List the maintenance windows of an environment.',
    description: 'The one that was planned last comes first; those that have ended or were cancelled too.',
    params: ById,
    query: Closed(Paging),
    page: MaintenanceWindow,
    read: ({ org: id }, { params, query }) => maintenanceWindows.page(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/maintenance-windows',
    access: staff('entitlements'),
    purpose: 'Schedule a maintenance window.',
    description:
      'Members are notified by mail. An active environment is in maintenance from the start to the end. 409 ' +
      'when it overlaps another window of the environment.',
    params: ById,
    body: NewMaintenanceWindow,
    rules: maintenanceRules,
    openapi: {
      example: { starts_at: '2099-12-05T03:00:00.000Z', ends_at: '2099-12-05T05:00:00.000Z', note: 'Database update' },
    },
    data: MaintenanceWindow,
    status: 201,
    fails: ['maintenance_overlaps', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await planMaintenance(ctx, params.id, body),
      message: 'Maintenance planned',
    }),
  }),
  route({
    method: 'GET',
    path: '/environments/{id}/maintenance-windows/{window_id}',
    access: org('entitlements'),
    purpose: 'Get a maintenance window.',
    description: 'A job begins and ends it, so that `status` follows `starts_at` and `ends_at` within half a minute.',
    params: ByWindow,
    data: MaintenanceWindow,
    read: ({ org: id }, { params }) => maintenanceWindows.byId(id, params.id, params.window_id),
  }),
  route({
    method: 'PATCH',
    path: '/environments/{id}/maintenance-windows/{window_id}',
    access: staff('entitlements'),
    purpose: 'Update a maintenance window.',
    description:
      'Members are notified by mail. The start of a running window cannot be changed; 409 when the window ' +
      'has ended or was cancelled.',
    params: ByWindow,
    body: MaintenanceWindowChange,
    rules: maintenanceRules,
    openapi: { example: { ends_at: '2099-12-05T06:00:00.000Z' } },
    data: MaintenanceWindow,
    fails: ['maintenance_begun', 'maintenance_overlaps', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await changeMaintenance(ctx, params.id, params.window_id, body),
      message: 'Maintenance changed',
    }),
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/maintenance-windows/{window_id}/cancel',
    access: staff('entitlements'),
    purpose: 'Cancel a maintenance window.',
    description: 'Members are notified by mail. A running window ends at once.',
    params: ByWindow,
    data: MaintenanceWindow,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await cancelMaintenance(ctx, params.id, params.window_id),
      message: 'Maintenance cancelled',
    }),
  }),
]
