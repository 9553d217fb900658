// The programme that pays who brings customers.
import * as api from '@titular/sdk'
import { isOneOf, type Declaration, textOf } from './resource.ts'
import { COMPANIES } from './shared.ts'

const byFinance = { permission: 'finances:write' } as const

export const affiliates: Declaration = {
  organization: {
    list: api.listAffiliates,
    get: api.getAffiliate,
    creates: {
      name: 'createAffiliate',
      operation: api.createAffiliate,
      ...byFinance,
      form: [
        { field: 'company', chooses: COMPANIES, isRequired: true, first: () => 'entity_br' },
        { field: 'currency', isRequired: true, first: () => 'BRL' },
        { field: 'commission_rate', as: 'money', isRequired: true },
        { field: 'product_name' },
      ],
    },
  },
  all: { list: api.adminListAffiliates },
  titleOf: ({ code }) => textOf(code),
  columns: [
    { field: 'code', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'commission_rate', as: 'percent' },
    { field: 'earned', as: 'money' },
    { field: 'available', as: 'money' },
  ],
  details: [
    { field: 'reversed', as: 'money' },
    { field: 'paid_out', as: 'money' },
    { field: 'reserved', as: 'money' },
    { field: 'balance', as: 'money' },
    { field: 'company', as: 'value' },
  ],
  papers: [{ name: 'statement', operation: api.downloadAffiliateStatementPdf }],
  actions: [
    {
      name: 'createAffiliatePayout',
      operation: api.createAffiliatePayout,
      isOffered: isOneOf('active'),
      form: [{ field: 'amount', as: 'money', isRequired: true, first: ({ available }) => available }],
      isMain: true,
    },
    {
      name: 'updateAffiliate',
      operation: api.updateAffiliate,
      ...byFinance,
      form: [
        { field: 'commission_rate', as: 'money', first: ({ commission_rate }) => commission_rate },
        {
          field: 'status',
          chooses: { values: ['active', 'suspended', 'closed'] },
          first: ({ status }) => status,
        },
      ],
    },
  ],
  sections: [
    {
      name: 'payouts',
      list: api.listAffiliatePayouts,
      columns: [
        { field: 'created_at', as: 'time' },
        { field: 'status', as: 'status' },
        { field: 'reference' },
        { field: 'rejection_reason' },
        { field: 'amount', as: 'money' },
      ],
      actions: [
        {
          name: 'cancelPayout',
          operation: api.cancelAffiliatePayout,
          at: ({ id }) => ({ payout_id: id }),
          isOffered: isOneOf('requested'),
        },
        {
          name: 'approvePayout',
          operation: api.approveAffiliatePayout,
          ...byFinance,
          at: ({ id }) => ({ payout_id: id }),
          isOffered: isOneOf('requested'),
        },
        {
          name: 'payPayout',
          operation: api.payAffiliatePayout,
          ...byFinance,
          at: ({ id }) => ({ payout_id: id }),
          isOffered: isOneOf('approved'),
          form: [{ field: 'reference', isRequired: true }],
        },
        {
          name: 'rejectPayout',
          operation: api.rejectAffiliatePayout,
          ...byFinance,
          at: ({ id }) => ({ payout_id: id }),
          isOffered: isOneOf('requested', 'approved'),
          form: [{ field: 'reason', as: 'long', isRequired: true }],
        },
      ],
    },
    {
      name: 'referrals',
      list: api.listAffiliateReferrals,
      columns: [
        { field: 'date', as: 'date' },
        { field: 'status', as: 'status' },
        { field: 'earns_at', as: 'time' },
        { field: 'amount', as: 'money' },
      ],
    },
    {
      name: 'statement',
      list: api.listAffiliateStatement,
      columns: [
        { field: 'date', as: 'date' },
        { field: 'kind', as: 'value' },
        { field: 'reference' },
        { field: 'amount', as: 'money' },
        { field: 'balance', as: 'money' },
      ],
    },
  ],
}

/** Of all affiliates; what is done with one is done at its affiliate. */
export const payouts: Declaration = {
  all: { list: api.adminListAffiliatePayouts },
  titleOf: ({ affiliate_code }) => textOf(affiliate_code),
  columns: [
    { field: 'affiliate_code', as: 'code' },
    { field: 'organization_name' },
    { field: 'status', as: 'status' },
    { field: 'created_at', as: 'time' },
    { field: 'amount', as: 'money' },
  ],
  statuses: ['requested', 'approved', 'paid', 'rejected', 'cancelled'],
}
