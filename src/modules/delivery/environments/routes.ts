// The routes of environments (spec 4.8, docs/interface/delivery.md).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { historyPage, HistoryPaging } from '#kernel/data/audit/history.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { ownBody } from '#http/organization-body.ts'
import { environmentRecord } from './environment-record.ts'
import { changeEnvironment } from './change-environment.ts'
import { createEnvironment } from './create-environment.ts'
import {
  AdministratorsEnvironmentFilters,
  Environment,
  EnvironmentChange,
  EnvironmentDetail,
  EnvironmentFilters,
  environmentHistory,
  EnvironmentHistoryEntry,
  EnvironmentStatusChange,
  NewEnvironment,
} from './environment.ts'
import { maintenanceRoutes } from './maintenance-routes.ts'
import { moveEnvironmentTo } from './move-environment.ts'
import { environments } from './queries.ts'
import { confirmByHand, requestAgain } from './request-again.ts'

export const environmentRoutes = [
  route({
    method: 'GET',
    path: '/environments',
    access: org('entitlements'),
    purpose: 'List the environments of the organization.',
    description: 'Newest first, decommissioned ones too. Those paired with one are only at `GET /environments/{id}`.',
    query: EnvironmentFilters,
    page: Environment,
    features: { record: environmentRecord },
    read: ({ org: id }, { query }) => environments.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/environments',
    access: vendor('entitlements'),
    purpose: 'List the environments of all organizations.',
    description:
      'Newest first, each with its organization, decommissioned ones and those of deleted organizations too.',
    query: AdministratorsEnvironmentFilters,
    page: acrossItem(Environment),
    features: { record: environmentRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => environments.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/environments',
    access: staff('entitlements'),
    purpose: 'Create an environment for an ENV entitlement.',
    description:
      'Staging, development and sandbox environments may name their production environment. If a ' +
      'provisioning system is configured, it is asked at once.',
    body: NewEnvironment,
    openapi: { example: { name: 'Campus', platform: 'moodle', environment_type: 'production', entitlement_id: 1 } },
    data: Environment,
    status: 201,
    fails: ['external_id_taken', 'entitlement_not_active'],
    run: async (ctx, { body }) => ({ data: await createEnvironment(ctx, body), message: 'Environment added' }),
  }),
  route({
    method: 'GET',
    path: '/environments/{id}',
    access: org('entitlements'),
    purpose: 'Get an environment, with the environments paired with it.',
    description:
      '`status` never waits for the provisioning system: `provisioning_act` and `provisioning_state` say how far ' +
      'that is. At most 100 paired environments are shown.',
    params: ById,
    data: EnvironmentDetail,
    features: { record: environmentRecord },
    read: ({ org: id }, { params }) => environments.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/environments/{id}',
    access: staff('entitlements'),
    purpose: 'Update an environment.',
    description: 'Only the given fields change.',
    params: ById,
    body: EnvironmentChange,
    openapi: { example: { url: 'https://campus.acme.example' } },
    data: Environment,
    fails: ['environment_paired', 'external_id_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeEnvironment(ctx, params.id, body),
      message: 'Environment updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/status',
    access: staff('entitlements'),
    purpose: 'Update the status of an environment.',
    description:
      'The `note` is kept in the history, which customers can read. `active` and `maintenance` need an ' +
      'active entitlement.',
    params: ById,
    body: EnvironmentStatusChange,
    openapi: { example: { status: 'maintenance', note: 'Moving to a larger machine' } },
    data: Environment,
    fails: ['entitlement_not_active', 'status_not_allowed'],
    run: async (ctx, { params, body }) => {
      const { status, note } = ownBody(ctx, body)
      return {
        data: await moveEnvironmentTo(ctx, params.id, status, note ?? null),
        message: `Environment is ${status}`,
      }
    },
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/provision',
    access: staff('entitlements'),
    purpose: 'Request again what the provisioning system has not confirmed.',
    description:
      'The `provisioning_act`, after a failure, or when no report comes. A request that failed is replaced by a new ' +
      'one; any other is repeated with its own id, so that nothing is done twice.',
    params: ById,
    data: Environment,
    status: 202,
    fails: ['entitlement_not_active', 'not_configured', 'status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await requestAgain(ctx, params.id), message: 'Provisioning queued' }),
  }),
  route({
    method: 'POST',
    path: '/environments/{id}/confirm',
    access: staff('entitlements'),
    purpose: 'Confirm that staff did by hand what the provisioning system has not confirmed.',
    description:
      'The `provisioning_state` becomes `done`. An environment that was set up by hand is activated with ' +
      '`POST /environments/{id}/status` (409).',
    params: ById,
    data: Environment,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await confirmByHand(ctx, params.id), message: 'Confirmed' }),
  }),
  route({
    method: 'GET',
    path: '/environments/{id}/history',
    access: org('entitlements'),
    purpose: 'List the status history of an environment.',
    description: 'Oldest first.',
    params: ById,
    query: HistoryPaging,
    page: EnvironmentHistoryEntry,
    read: ({ org: id }, { params, query }) => historyPage(environmentHistory, id, params.id, query),
  }),
  ...maintenanceRoutes,
]
