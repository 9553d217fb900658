// Disputes of payments (docs/interface/sales.md, Disputes).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { org, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { Dispute, AdministratorsDisputeFilters, DisputeFilters } from './dispute.ts'
import { disputes } from './queries.ts'

export const disputeRoutes = [
  route({
    method: 'GET',
    path: '/disputes',
    access: org('finances'),
    purpose: 'List the disputes of the organization’s payments.',
    description:
      'Newest first. While one is open, nothing of its invoice is refunded; one that was lost is a refund that has ' +
      'succeeded.',
    query: DisputeFilters,
    page: Dispute,
    read: ({ org: id }, { query }) => disputes.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/disputes',
    access: vendor('finances'),
    purpose: 'List the disputes of all organizations.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsDisputeFilters,
    page: acrossItem(Dispute),
    features: { limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => disputes.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/disputes/{id}',
    access: org('finances'),
    purpose: 'Get a dispute.',
    description: 'A lost one has refunds, which name it (`dispute_id`).',
    params: ById,
    data: Dispute,
    read: ({ org: id }, { params }) => disputes.byId(id, params.id),
  }),
]
