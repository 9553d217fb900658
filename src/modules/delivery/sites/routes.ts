// The routes of sites (docs/interface/delivery.md, Sites).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { Type } from 'typebox'
import { domainRules } from '#modules/delivery/licenses/license-domain.ts'
import { typedKey } from '#modules/delivery/licenses/issue-license.ts'
import { LicenseAnswer } from '#modules/delivery/licenses/license.ts'
import { open, org, vendor } from '#kernel/values/permissions.ts'
import { notFound } from '#kernel/values/errors.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changeSite, removeSite } from './change-site.ts'
import { addSite } from './open-site.ts'
import { sites } from './queries.ts'
import { reportSite } from './report-site.ts'
import { findProof, applyProofResult } from './apply-proof-result.ts'
import {
  CheckedSite,
  NewSite,
  Site,
  SiteChange,
  SiteDetail,
  AdministratorsSiteFilters,
  SiteFilters,
  SiteReport,
} from './site.ts'

export const siteRoutes = [
  route({
    method: 'GET',
    path: '/sites',
    access: org('entitlements'),
    purpose: 'List the sites of the organization.',
    description:
      'Newest first. Licenses and environments add and link their sites by themselves, a moment after they change.',
    query: SiteFilters,
    page: Site,
    read: ({ org: id }, { query }) => sites.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/sites',
    access: vendor('entitlements'),
    purpose: 'List the sites of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsSiteFilters,
    page: acrossItem(Site),
    features: { limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => sites.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/sites',
    access: org('entitlements'),
    purpose: 'Add a site.',
    description:
      'For a domain without a license and environment; those add theirs themselves. The domain is reduced ' +
      'to its host name. 409 when there is a site of it.',
    body: NewSite,
    rules: domainRules,
    openapi: { example: { domain: 'blog.acme.example', name: 'Company blog', platform: 'wordpress' } },
    data: SiteDetail,
    status: 201,
    fails: ['domain_taken'],
    run: async (ctx, { body }) => ({ data: await addSite(ctx, body), message: 'Site added' }),
  }),
  route({
    method: 'GET',
    path: '/sites/{id}',
    access: org('entitlements'),
    purpose: 'Get a site, with its challenge and what runs there.',
    description:
      '`what_runs` has the last report of each product, the latest first, 100 at most. The challenge is proven by a ' +
      'TXT record or a file of the domain.',
    params: ById,
    data: SiteDetail,
    read: ({ org: id }, { params }) => sites.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/sites/{id}',
    access: org('entitlements'),
    purpose: 'Update a site.',
    description:
      'Only the given fields change. 409 for the status `inactive` while a license is active on the site or ' +
      'an environment is at it.',
    params: ById,
    body: SiteChange,
    openapi: { example: { name: 'Shop', platform: 'wordpress' } },
    data: SiteDetail,
    fails: ['environment_at_site', 'license_active_on_site'],
    run: async (ctx, { params, body }) => ({ data: await changeSite(ctx, params.id, body), message: 'Site updated' }),
  }),
  route({
    method: 'DELETE',
    path: '/sites/{id}',
    access: org('entitlements'),
    purpose: 'Delete a site.',
    description:
      'With its proof and what was reported of it. 409 while a license is active on it or an environment is at it.',
    params: ById,
    data: Type.Null(),
    fails: ['environment_at_site', 'license_active_on_site'],
    run: async (ctx, { params }) => {
      await removeSite(ctx, params.id)
      return { data: null, message: 'Site removed' }
    },
  }),
  route({
    method: 'POST',
    path: '/sites/{id}/verify',
    access: org('entitlements'),
    purpose: 'Look for the proof of a site.',
    description:
      'Looks for the TXT record and the file of the challenge, at the same time. 200 whether or not one was ' +
      'found; `found` says what was.',
    params: ById,
    data: CheckedSite,
    features: { limit: { policy: 'public' } },
    before: async (io, { params }) => {
      const [site] = await io.read(sites.challenged(io.organizationId ?? 0, params.id))
      if (!site) throw notFound()
      return findProof(io, site)
    },
    run: async (ctx, { params }, found) => {
      if (!(await applyProofResult(ctx, params.id, found))) throw notFound()
      const site = await sites.detail(ctx, params.id)
      const isProven = Object.values(found).includes('proven')
      return { data: { ...site, found }, message: isProven ? 'The domain is proven' : 'No proof was found' }
    },
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/sites',
    access: org('entitlements'),
    purpose: 'List the sites of an entitlement.',
    description: 'Those on which one of its licenses is active, and those of its environments.',
    params: ById,
    query: SiteFilters,
    page: Site,
    read: ({ org: id }, { params, query }) => sites.ofEntitlement(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/sites/report',
    access: open,
    purpose: 'Report that a product runs on a site.',
    description:
      'For the installed product, about once an hour. The answer is that of `POST /licenses/validate`: 200 ' +
      'whether or not the key is valid.',
    body: SiteReport,
    rules: domainRules,
    openapi: {
      example: {
        license_key: '7K3QD-M9XHT-2VWRA-C4PZN-8FJBE',
        domain: 'shop.acme.example',
        version: '4.2.0',
        platform: 'wordpress',
        platform_version: '6.8.1',
      },
    },
    data: LicenseAnswer,
    features: {
      limit: {
        policy: 'reports',
        key: ({ license_key }) => (typeof license_key === 'string' ? typedKey(license_key) : undefined),
      },
    },
    run: async (ctx, { body }) => ({ data: await reportSite(ctx, body) }),
  }),
]
