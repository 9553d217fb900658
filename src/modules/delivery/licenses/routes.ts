// The routes of licenses, their domains and keys (spec 4.7). staff-routes.ts has those for staff.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { licenseRecord } from './license-record.ts'
import { domainRules } from './license-domain.ts'
import { ownBody } from '#http/organization-body.ts'
import { open, org, staffNeed, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Paging } from '#kernel/values/schema.ts'
import { activateLicense, deactivateLicense } from './activate-license.ts'
import { rotateKey } from './change-license.ts'
import { licenseFile } from './license-file.ts'
import {
  AdministratorsLicenseFilters,
  Activation,
  License,
  LicenseAnswer,
  LicenseHistoryEntry,
  LicenseDomain,
  LicenseFile,
  LicenseFilters,
  LicenseQuestion,
  LicenseReason,
} from './license.ts'
import { validateLicense } from './validate-license.ts'
import { licenses } from './queries.ts'

export const licenseRoutes = [
  route({
    method: 'GET',
    path: '/licenses',
    access: org('licenses'),
    purpose: 'List the licenses of the organization.',
    description: 'Newest first, in every status. Members see the keys.',
    query: LicenseFilters,
    page: License,
    features: { record: licenseRecord },
    read: ({ org: id }, { query }) => licenses.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/licenses',
    access: vendor('licenses'),
    purpose: 'List the licenses of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsLicenseFilters,
    page: acrossItem(License),
    features: { record: licenseRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => licenses.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/licenses/{id}',
    access: org('licenses'),
    purpose: 'Get a license.',
    description:
      'With its key, the domains that take a slot (`activated_domains`), and those that take none (`staging_domains`).',
    params: ById,
    data: License,
    features: { record: licenseRecord },
    read: ({ org: id }, { params }) => licenses.byId(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/licenses',
    access: staffNeed(org('entitlements'), 'licenses'),
    purpose: 'List the licenses of an entitlement.',
    description: 'Newest first, those that expired or were revoked too.',
    params: ById,
    query: LicenseFilters,
    page: License,
    features: { record: licenseRecord },
    read: ({ org: id }, { params, query }) => licenses.ofEntitlement(id, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/licenses/{id}/history',
    access: org('licenses'),
    purpose: 'List the history of a license.',
    description: 'Oldest first.',
    params: ById,
    query: Closed(Paging),
    page: LicenseHistoryEntry,
    read: ({ org: id }, { params, query }) => licenses.history(id, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/licenses/{id}/file',
    access: org('licenses'),
    purpose: 'Get a license as a signed file.',
    description:
      'For products without a network. Valid for the domains that are active now, until its `expires_at`. ' +
      'docs/licenses.md shows how to verify it.',
    params: ById,
    data: LicenseFile,
    fails: ['license_expired', 'status_not_allowed'],
    read: (context, { params }) => licenseFile(context, params.id),
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/activate',
    access: org('licenses'),
    purpose: 'Activate a license for a domain.',
    description:
      'The domain is reduced to its host name. Activating it again counts once; a local or staging domain ' +
      'does not count. 409 when the limit is reached or the license is not active.',
    params: ById,
    body: LicenseDomain,
    rules: domainRules,
    openapi: { example: { domain: 'shop.acme.example' } },
    data: Activation,
    fails: ['activation_limit_reached', 'license_expired', 'limit_reached', 'status_not_allowed'],
    before: { asks: ({ org: id }, { params }) => [licenses.locked(id, params.id)] },
    run: async (ctx, { body, rows: [[license]] }) => {
      const { data, changed } = await activateLicense(ctx, license, ownBody(ctx, body).domain)
      return { data, message: changed ? 'Domain activated' : 'The domain is active already' }
    },
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/deactivate',
    access: org('licenses'),
    purpose: 'Deactivate a license for a domain.',
    description:
      'Its slot is free at once, and the key is `not_activated` there, unless the domain is one that takes no slot. ' +
      'The site loses its link to the license a moment later, and it can be activated again. Possible in any state ' +
      'of the license; 404 when it is not active there.',
    params: ById,
    body: LicenseDomain,
    rules: domainRules,
    openapi: { example: { domain: 'shop.acme.example' } },
    data: Activation,
    before: { asks: ({ org: id }, { params }) => [licenses.locked(id, params.id)] },
    run: async (ctx, { body, rows: [[license]] }) => {
      const { data } = await deactivateLicense(ctx, license, ownBody(ctx, body).domain)
      return { data, message: 'Domain deactivated' }
    },
  }),
  route({
    method: 'POST',
    path: '/licenses/{id}/rotate-key',
    access: org('licenses'),
    purpose: 'Rotate the key of a license.',
    description: 'The old key is refused at once. The domains stay active and need the new key.',
    params: ById,
    body: LicenseReason,
    openapi: { example: { reason: 'Published in a repository by mistake' } },
    data: License,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({ data: await rotateKey(ctx, params.id, body), message: 'Key replaced' }),
  }),
  route({
    method: 'POST',
    path: '/licenses/validate',
    access: open,
    purpose: 'Validate a license key for a domain.',
    description: 'For the installed product. The answer is 200 whether or not the key is valid.',
    body: LicenseQuestion,
    rules: domainRules,
    openapi: { example: { license_key: '7K3QD-M9XHT-2VWRA-C4PZN-8FJBE', domain: 'shop.acme.example' } },
    data: LicenseAnswer,
    features: { limit: { policy: 'public' } },
    read: (_context, { body }) => validateLicense(body.license_key, body.domain),
  }),
]
