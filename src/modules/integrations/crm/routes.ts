// What administrators see of the CRM (docs/interface/integrations.md, CRM).
import { vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { CrmDeal, CrmDealFilters } from './deal.ts'
import { acceptProposal, rejectProposal } from './decide-proposal.ts'
import { CrmProposal, CrmProposalFilters, CrmProposalListItem } from './proposal.ts'
import { crm } from './queries.ts'

export const crmRoutes = [
  route({
    method: 'GET',
    path: '/admin/crm/proposals',
    access: vendor('organization'),
    purpose: 'List what the CRM has otherwise than the organizations.',
    description:
      'Newest first. What was changed in the CRM is neither taken nor overwritten until staff decide. Those of ' +
      'deleted organizations are left out, those that are decided are not.',
    query: CrmProposalFilters,
    page: CrmProposalListItem,
    features: { limitsOrganizations: true },
    read: ({ organizations: only }, { query }) => crm.proposals(query, only),
  }),
  route({
    method: 'POST',
    path: '/admin/crm/proposals/{id}/accept',
    access: vendor('organization'),
    purpose: 'Accept a change from the CRM.',
    description:
      'The organization takes the value. 409 when it has changed the field since, cannot have the value, or ' +
      'the proposal is decided.',
    params: ById,
    data: CrmProposal,
    fails: ['changed_meanwhile', 'identifier_taken', 'status_not_allowed', 'value_not_allowed'],
    run: async (ctx, { params }) => ({ data: await acceptProposal(ctx, params.id), message: 'Change accepted' }),
  }),
  route({
    method: 'POST',
    path: '/admin/crm/proposals/{id}/reject',
    access: vendor('organization'),
    purpose: 'Reject a change from the CRM.',
    description: 'The organization keeps its value, which a job writes to the CRM. 409 when the proposal is decided.',
    params: ById,
    data: CrmProposal,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await rejectProposal(ctx, params.id), message: 'Change rejected' }),
  }),
  route({
    method: 'GET',
    path: '/admin/crm/deals',
    access: vendor('quotes'),
    purpose: 'List the deals of quotes in the CRM.',
    description: '`differs`: salespeople moved the deal to another stage than the quote’s status has.',
    query: CrmDealFilters,
    page: CrmDeal,
    features: { limitsOrganizations: true },
    read: ({ organizations: only }, { query }) => crm.deals(query, only),
  }),
]
