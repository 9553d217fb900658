// What staff are offered of the CRM: a value that somebody entered there and that differs from the organization's own.
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { table } from '#kernel/data/table.ts'
import { AnyOf, Closed, Company, Id, Line, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { COMPANY_FIELDS } from '#ports/crm.ts'

export const STATUSES = ['open', 'accepted', 'rejected', 'withdrawn'] as const
export const CrmProposalStatus = Type.Enum(STATUSES, {
  description: '`withdrawn`: the values agree again, or the company is not there any more',
  examples: ['open'],
})

export const crmProposalMoves = moves(STATUSES, {
  accept: { from: ['open'], to: 'accepted' },
  reject: { from: ['open'], to: 'rejected' },
  withdraw: { from: ['open'], to: 'withdrawn' },
})

export const CrmProposal = Type.Object(
  {
    id: Id,
    organization_id: Id,
    company: Company,
    field: Type.Enum(COMPANY_FIELDS, { description: 'The field of the organization', examples: ['phone'] }),
    current_value: Nullable({ ...Line, description: 'The organization’s own value when it was last compared' }),
    proposed_value: Type.String({
      maxLength: 255,
      description: 'The value in the CRM',
      examples: ['+55 11 5555-0199'],
    }),
    status: CrmProposalStatus,
    decided_by: Nullable({ ...Id, description: 'Null if it was withdrawn' }),
    decided_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A change in the CRM that staff accept or reject' },
)
export type CrmProposal = Static<typeof CrmProposal>
export const crmProposalsTable = table('crm_proposals', 'crm_proposal', CrmProposal, { moves: crmProposalMoves })

export const CrmProposalListItem = Type.Object({ ...CrmProposal.properties, organization_name: Name })
export const crmProposalListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const CrmProposalFilters = Closed({
  ...Paging,
  ...crmProposalListing.parameters,
  organization_id: Type.Optional(Id),
  company: Type.Optional(Company),
  status: AnyOf(CrmProposalStatus),
})
export type CrmProposalFilters = Static<typeof CrmProposalFilters>
