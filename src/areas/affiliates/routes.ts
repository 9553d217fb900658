// The routes of affiliate accounts and their referrals (docs/interface.md, Affiliates).
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { Affiliate, AffiliateChange, AffiliateFilters, Referral, ReferralFilters } from './affiliate.ts'
import { changeAffiliate } from './change-affiliate.ts'
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
    purpose: 'Get an affiliate account.',
    params: ById,
    data: Affiliate,
    read: ({ org: id }, { params }) => affiliates.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/affiliates/{id}',
    access: staff,
    purpose: 'Update the commission rate or status of an affiliate account.',
    description: 'Earlier payments keep the rate of their time.',
    params: ById,
    body: AffiliateChange,
    example: { commission_rate: '12.50' },
    data: Affiliate,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await changeAffiliate(ctx, params.id, body),
      message: 'Affiliate account updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/affiliates/{id}/referrals',
    access: org('finances'),
    purpose: 'List the referrals of an affiliate account.',
    description: 'Never says whose payments they were.',
    params: ById,
    query: ReferralFilters,
    page: Referral,
    read: ({ org: id }, { params, query }) => affiliates.referrals(id, params.id, query),
  }),
]
