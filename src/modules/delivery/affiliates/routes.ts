// The routes of affiliate accounts, their referrals and statements (docs/interface/delivery.md, Affiliates).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import { affiliateRecord } from './affiliate-record.ts'
import {
  Affiliate,
  AffiliateChange,
  AdministratorsAffiliateFilters,
  AffiliateFilters,
  NewAffiliate,
} from './affiliate.ts'
import { changeAffiliate } from './change-affiliate.ts'
import { Referral, ReferralFilters } from './commission.ts'
import { allocateAffiliateCode, createAffiliate } from './create-affiliate.ts'
import { affiliates } from './queries.ts'
import { StatementEntry, StatementFilters, StatementPeriod } from './statement.ts'
import { statementFacts, statementPdf } from './statement-document.ts'

export const affiliateRoutes = [
  route({
    method: 'GET',
    path: '/affiliates',
    access: org('finances'),
    purpose: 'List the affiliate accounts of the organization.',
    description: 'Newest first, closed ones too.',
    query: AffiliateFilters,
    page: Affiliate,
    features: { record: affiliateRecord },
    read: ({ org: id }, { query }) => affiliates.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/affiliates',
    access: vendor('finances'),
    purpose: 'List the affiliate accounts of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsAffiliateFilters,
    page: acrossItem(Affiliate),
    features: { record: affiliateRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => affiliates.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/affiliates',
    access: staff('finances'),
    purpose: 'Open an affiliate account, with its entitlement.',
    description:
      'Both have one code, which quotes name as `affiliate_code`: what their orders pay then earns it a commission. ' +
      'No order or invoice is made. The account is suspended and resumed with its entitlement, and closed when that ' +
      'is cancelled.',
    body: NewAffiliate,
    openapi: { example: { company: 'entity_br', currency: 'BRL', commission_rate: '12.50' } },
    data: Affiliate,
    status: 201,
    fails: ['external_id_taken'],
    before: { allocates: allocateAffiliateCode },
    run: async (ctx, { body }, code) => ({
      data: await createAffiliate(ctx, body, code),
      message: 'Affiliate account opened',
    }),
  }),
  route({
    method: 'GET',
    path: '/affiliates/{id}',
    access: org('finances'),
    purpose: 'Get an affiliate account.',
    description:
      '`balance` may be negative after a refund; later commissions fill it. `available` is less what open payouts ' +
      'reserve, 0 at least.',
    params: ById,
    data: Affiliate,
    features: { record: affiliateRecord },
    read: ({ org: id }, { params }) => affiliates.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/affiliates/{id}',
    access: staff('finances'),
    purpose: 'Update the commission rate or status of an affiliate account.',
    description:
      'Earlier payments keep the rate of their time. 409 for making one active whose entitlement is not; one that ' +
      'staff suspend stays suspended when its entitlement comes back.',
    params: ById,
    body: AffiliateChange,
    openapi: { example: { commission_rate: '12.50' } },
    data: Affiliate,
    fails: ['entitlement_not_active', 'external_id_taken', 'status_not_allowed'],
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
  route({
    method: 'GET',
    path: '/affiliates/{id}/statement',
    access: org('finances'),
    purpose: 'List what changed the balance of an affiliate account.',
    description: 'Oldest first, each with the balance after it. Payouts appear once they are paid.',
    params: ById,
    query: StatementFilters,
    page: StatementEntry,
    read: ({ org: id }, { params, query }) => affiliates.statement(id, params.id, query),
  }),
  fileRoute({
    path: '/affiliates/{id}/statement/pdf',
    access: org('finances'),
    purpose: 'Download the statement of an affiliate account as PDF.',
    description:
      'In the language of `Accept-Language`, else that of the organization’s country. At most 1,000 entries.',
    params: ById,
    query: StatementPeriod,
    contentType: PDF,
    read: ({ org: id }, { params, query }) => statementFacts(id, params.id, query),
    make: statementPdf,
  }),
]
