// The routes of entitlements (spec 4.3, docs/interface/delivery.md).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { inFuture } from '#kernel/values/time/time-rules.ts'
import { Type } from 'typebox'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { entitlementRecord } from './entitlement-record.ts'
import { createEntitlement, allocateEntitlementCode } from './create-entitlement.ts'
import {
  Entitlement,
  EntitlementChange,
  EntitlementReason,
  EntitlementRenewal,
  NewEntitlement,
  PlannedStop,
} from './entitlement.ts'
import { checkEntitlements } from './check-entitlement.ts'
import { AdministratorsEntitlementFilters, EntitlementFilters } from './entitlement-filters.ts'
import { EntitlementCheck, EntitlementMoment, EntitlementQuestion } from './entitlement-check.ts'
import { entitlementAsOf } from './entitlement-as-of.ts'
import { featureRules } from './feature.ts'
import { entitlements } from './queries.ts'
import { byStaff, changeEntitlement, renewEntitlement, resumeByStaff } from './move-entitlement.ts'
import { stopEntitlement, takeBackStop } from './schedule-entitlement.ts'

// Any text: a malformed code is unknown, like any other.
const ByCode = Closed({ code: Type.String({ maxLength: 100, examples: ['PLG-2026110001'] }) })

export const entitlementRoutes = [
  route({
    method: 'GET',
    path: '/entitlements',
    access: org('entitlements'),
    purpose: 'List the entitlements of the organization.',
    description:
      'Newest first, those that have expired or were cancelled too. `GET /entitlements/check` answers what the ' +
      'organization may use now.',
    query: EntitlementFilters,
    page: Entitlement,
    features: { record: entitlementRecord },
    read: ({ org: id }, { query }) => entitlements.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/entitlements',
    access: vendor('entitlements'),
    purpose: 'List the entitlements of all organizations.',
    description: 'Newest first, also of deleted organizations. `search` finds the first 5,000 by their terms.',
    query: AdministratorsEntitlementFilters,
    page: acrossItem(Entitlement),
    features: { record: entitlementRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => entitlements.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/entitlements',
    access: staff('entitlements'),
    purpose: 'Create an entitlement.',
    description:
      'It is active at once, with the next code of its class and month; no order, invoice, license or environment ' +
      'is made. Without `features` it has those of its product. One of the class AFL gets its affiliate account, ' +
      'which earns nothing until staff set a rate.',
    body: NewEntitlement,
    rules: featureRules,
    openapi: {
      example: {
        class: 'PLG',
        product_name: 'Backup Pro',
        organization_id: 1,
        company: 'entity_br',
        expires_at: '2027-11-20T00:00:00.000Z',
        quantity: 5,
        features: [{ key: 'max_users', type: 'number', value: 50 }],
      },
    },
    data: Entitlement,
    status: 201,
    fails: ['external_id_taken'],
    before: { allocates: (io, { body }) => allocateEntitlementCode(io, body.class) },
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
    description: 'With `as_of` as it was at that moment; 404 when it did not exist then.',
    params: ById,
    query: EntitlementMoment,
    data: Entitlement,
    features: { record: entitlementRecord },
    read: ({ org: id, now }, { params, query: { as_of: asOf } }) =>
      asOf === undefined ? entitlements.byId(id, params.id) : entitlementAsOf(id, { id: params.id, asOf, now }),
  }),
  route({
    method: 'GET',
    path: '/entitlements/check',
    access: org('entitlements'),
    purpose: 'Check whether the organization may use a product, a class or a feature.',
    description:
      'Needs `product_id`, `class` or `feature`; a feature may be asked for of a product or of a class. ' +
      'What is not allowed is answered too, with the reason.',
    query: EntitlementQuestion,
    openapi: { operationId: 'checkEntitlements' },
    data: EntitlementCheck,
    features: { moment: 'as_of' },
    read: ({ org: id, now }, { query }) => checkEntitlements(id, query, now),
  }),
  route({
    method: 'PATCH',
    path: '/entitlements/{id}',
    access: staff('entitlements'),
    purpose: 'Update an entitlement.',
    description:
      'Name, description, end, product, what it covers of the product’s releases, quantity, features (all ' +
      'of them, in place of those before), or metadata.',
    params: ById,
    body: EntitlementChange,
    rules: featureRules,
    openapi: { example: { expires_at: '2028-01-31T00:00:00.000Z' } },
    data: Entitlement,
    fails: ['external_id_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeEntitlement(ctx, params.id, body),
      message: 'Entitlement updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/entitlements/code/{code}',
    access: org('entitlements'),
    purpose: 'Get an entitlement by its code.',
    description:
      'A code is unique in the whole service and never given out again. 404 for a code of another organization, and ' +
      'for a text that is no code.',
    params: ByCode,
    openapi: { operationId: 'getEntitlementByCode' },
    data: Entitlement,
    read: ({ org: id }, { params }) => entitlements.byCode(id, params.code),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/suspend',
    access: staff('entitlements'),
    purpose: 'Suspend an entitlement, with its licenses and environments.',
    description:
      'Its affiliate account is suspended too; resuming it brings all of them back. With `at` it is scheduled, in ' +
      'place of what was scheduled before. 409 unless it is active, or was suspended for an overdue payment: then ' +
      'no payment resumes it any more.',
    params: ById,
    body: PlannedStop,
    rules: ({ at }, { now }) => inFuture('at', at, now),
    openapi: { example: { reason: 'Chargeback on the order' } },
    data: Entitlement,
    fails: ['status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await stopEntitlement(ctx, params.id, { act: 'suspend', body }),
      message: body.at ? 'Suspension scheduled' : 'Entitlement suspended',
    }),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/resume',
    access: staff('entitlements'),
    purpose: 'Resume an entitlement, with the licenses and environments that were suspended with it.',
    description:
      'Its affiliate account comes back too; what staff suspended separately stays suspended. 409 unless it is ' +
      'suspended, and for one that is suspended for an overdue payment: record the payment, or hold dunning.',
    params: ById,
    body: EntitlementReason,
    openapi: { example: { reason: 'Paid after all' } },
    data: Entitlement,
    fails: ['status_not_allowed', 'suspended_for_overdue_payment'],
    run: async (ctx, { params, body }) => ({
      data: await resumeByStaff(ctx, params.id, byStaff(ctx, body)),
      message: 'Entitlement resumed',
    }),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/cancel',
    access: staff('entitlements'),
    purpose: 'Cancel an entitlement permanently.',
    description:
      'Its licenses are revoked, its environments decommissioned, its affiliate account is closed; none of it can ' +
      'be taken back. No money moves: the order stays, and a subscription of it goes on. With `at` it is scheduled, ' +
      'and can be taken back until then.',
    params: ById,
    body: PlannedStop,
    rules: ({ at }, { now }) => inFuture('at', at, now),
    openapi: { example: { reason: 'Terminated by the customer', at: '2027-11-20T00:00:00.000Z' } },
    data: Entitlement,
    fails: ['status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => ({
      data: await stopEntitlement(ctx, params.id, { act: 'cancel', body }),
      message: body.at ? 'Cancellation scheduled' : 'Entitlement cancelled',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/entitlements/{id}/scheduled',
    access: staff('entitlements'),
    purpose: 'Delete what is scheduled for an entitlement.',
    description:
      'Only what is to come: a suspension or cancellation that was done stays. 409 when nothing is scheduled.',
    params: ById,
    openapi: { operationId: 'deleteEntitlementStop' },
    data: Entitlement,
    fails: ['nothing_scheduled'],
    run: async (ctx, { params }) => ({ data: await takeBackStop(ctx, params.id), message: 'Taken back' }),
  }),
  route({
    method: 'POST',
    path: '/entitlements/{id}/renew',
    access: staff('entitlements'),
    purpose: 'Renew an expired entitlement.',
    description:
      'It is active until `expires_at`, or without end. Licenses that ended with it are renewed, its environments ' +
      'and affiliate account come back; no order or invoice is made, and `updates_until` stays. 409 unless it has ' +
      'expired.',
    params: ById,
    body: EntitlementRenewal,
    rules: ({ expires_at }, { now }) => inFuture('expires_at', expires_at, now),
    openapi: { example: { expires_at: '2027-11-20T00:00:00.000Z' } },
    data: Entitlement,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await renewEntitlement(ctx, params.id, { ...byStaff(ctx, body), expiresAt: body.expires_at ?? null }),
      message: 'Entitlement renewed',
    }),
  }),
]
