// docs/interface.md, Affiliates: what they see of what they earn.
import { org } from '#kernel/permissions.ts'
import { route } from '#kernel/route.ts'
import { ById } from '#kernel/schema.ts'
import { Affiliate, AffiliateFilters, Referral, ReferralFilters } from './affiliate.ts'
import { affiliates } from './queries.ts'

export const affiliateRoutes = [
  route({
    method: 'GET',
    path: '/affiliates',
    access: org('finances'),
    purpose: 'List the affiliate accounts of the organization.',
    query: AffiliateFilters,
    page: Affiliate,
    read: ({ org: id }, { query }) => affiliates.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/affiliates/{id}',
    access: org('finances'),
    purpose: 'One affiliate account.',
    params: ById,
    data: Affiliate,
    read: ({ org: id }, { params }) => affiliates.byId(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/affiliates/{id}/referrals',
    access: org('finances'),
    purpose: 'What an affiliate account earned, never from whom.',
    params: ById,
    query: ReferralFilters,
    page: Referral,
    read: ({ org: id }, { params, query }) => affiliates.referrals(id, params.id, query),
  }),
]
