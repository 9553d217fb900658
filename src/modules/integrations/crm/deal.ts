// The deal of a quote as the CRM has it, for staff: salespeople may move it to another stage, which never moves the
// quote.
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { QuoteStatus } from '#modules/sales/quotes/quote.ts'
import { Closed, Company, Id, Line, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const CrmDeal = Type.Object(
  {
    id: Id,
    organization_id: Id,
    organization_name: Name,
    quote_id: Id,
    quote_number: Type.String({ examples: ['Q-42'] }),
    quote_status: QuoteStatus,
    company: Company,
    crm_id: { ...Line, description: 'Its id in the CRM', examples: ['18273645'] },
    stage: { ...Line, description: 'The stage that the quote’s status put it in', examples: ['presentationscheduled'] },
    crm_stage: { ...Line, description: 'The stage where it was last seen', examples: ['contractsent'] },
    differs: Type.Boolean({ description: 'Whether somebody moved it to another stage' }),
    removed_at: Nullable({ ...Timestamp, description: 'When it was found to be deleted there' }),
    synced_at: Timestamp,
  },
  { description: 'The deal of a quote in the CRM' },
)

export const crmDealListing = listing({ synced_at: TIME }, 'synced_at')
export const CrmDealFilters = Closed({
  ...Paging,
  ...crmDealListing.parameters,
  organization_id: Type.Optional(Id),
  company: Type.Optional(Company),
  differs: Type.Optional(Type.Boolean()),
})
export type CrmDealFilters = Static<typeof CrmDealFilters>
