// The routes of licenses for staff (docs/interface/delivery.md, Licenses, environments, services, contracts).
import { inFuture } from '#kernel/values/time/time-rules.ts'
import { staff } from '#kernel/values/permissions.ts'
import { givenOrIntegration } from '#http/integration-route.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changeLicense, renewLicense, resumeLicense, revokeLicense, suspendLicense } from './change-license.ts'
import { createLicense } from './issue-license.ts'
import { License, LicenseChange, LicenseReason, LicenseRenewal, NewLicense } from './license.ts'

export const licenseStaffRoutes = [
  route({
    method: 'POST',
    path: '/licenses',
    access: staff('licenses'),
    purpose: 'Issue a license for an active PLG entitlement.',
    description:
      'Product and end are those of the entitlement unless given; the end cannot be later than the entitlement’s.',
    body: NewLicense,
    rules: ({ expires_at }, { now }) => inFuture('expires_at', expires_at, now),
    openapi: { example: { entitlement_id: 2, activations_limit: 5 } },
    data: License,
    status: 201,
    fails: ['external_id_taken', 'entitlement_not_active'],
    run: async (ctx, { body }) => ({ data: await createLicense(ctx, body), message: 'License issued' }),
  }),
  route({
    method: 'PATCH',
    path: '/licenses/{id}',
    access: staff('licenses'),
    purpose: 'Update the activation limit of a license, or its external id and metadata.',
    description: '409 when more domains are active than the new limit. A new limit needs a `reason`.',
    params: ById,
    body: LicenseChange,
    rules: (body, asked): Record<string, string> => ({
      ...givenOrIntegration('activations_limit')(body, asked),
      ...(body.activations_limit !== undefined && !asked.isGiven('reason') && { reason: 'is required' }),
    }),
    openapi: { example: { activations_limit: 10, reason: 'Five more sites, agreed on 20 November' } },
    data: License,
    fails: ['activations_exceed_limit', 'external_id_taken', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await changeLicense(ctx, params.id, body),
      message: 'License changed',
    }),
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/suspend',
    access: staff('licenses'),
    purpose: 'Suspend a license.',
    description: 'Its key is refused until the license is resumed.',
    params: ById,
    body: LicenseReason,
    openapi: { example: { reason: 'Chargeback on the order' } },
    data: License,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await suspendLicense(ctx, params.id, body),
      message: 'License suspended',
    }),
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/resume',
    access: staff('licenses'),
    purpose: 'Resume a suspended license.',
    description: '409 when its entitlement is not active.',
    params: ById,
    body: LicenseReason,
    openapi: { example: { reason: 'Paid after all' } },
    data: License,
    fails: ['entitlement_not_active', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await resumeLicense(ctx, params.id, body),
      message: 'License resumed',
    }),
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/revoke',
    access: staff('licenses'),
    purpose: 'Revoke a license.',
    description: 'A revoked license cannot become active again.',
    params: ById,
    body: LicenseReason,
    openapi: { example: { reason: 'Sold on against the terms' } },
    data: License,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await revokeLicense(ctx, params.id, body),
      message: 'License revoked',
    }),
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/renew',
    access: staff('licenses'),
    purpose: 'Renew an expired license.',
    description: '409 when its entitlement is not active.',
    params: ById,
    body: LicenseRenewal,
    rules: ({ expires_at }, { now }) => inFuture('expires_at', expires_at, now),
    openapi: { example: { reason: 'Renewed by phone' } },
    data: License,
    fails: ['entitlement_not_active', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await renewLicense(ctx, params.id, body),
      message: 'License renewed',
    }),
  }),
]
