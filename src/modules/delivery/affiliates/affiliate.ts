// The account of an affiliate (docs/interface/delivery.md, Affiliates): its state, and the sums that its balance
// consists of.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Type, type Static } from 'typebox'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import { AnyOf, Closed, Company, Currency, Id, Money, Name, Paging, Percent, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

const STATUSES = ['active', 'suspended', 'closed'] as const
const Status = Type.Enum(STATUSES, { examples: ['active'] })
const Rate = { ...Percent, description: 'Percent of the payment without tax' }

export const affiliateMoves = moves(STATUSES, {
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  close: { from: ['active', 'suspended'], to: 'closed' },
})

export const Affiliate = Type.Object(
  {
    id: Id,
    organization_id: Id,
    code: Type.String({ examples: ['AFL-2026110001'] }),
    status: Status,
    entitlement_id: Id,
    company: Company,
    commission_rate: Rate,
    currency: Currency,
    earned: { ...Money, description: 'All commissions in `currency` that were ever earned' },
    reversed: { ...Money, description: 'What refunds took back of them' },
    paid_out: { ...Money, description: 'The payouts that were paid' },
    reserved: { ...Money, description: 'The payouts that are requested or approved' },
    balance: {
      ...Money,
      description: 'Earned, less reversed and paid out; negative after a reversal of what was paid',
    },
    available: { ...Money, description: 'What a payout can be requested of: the balance less what is reserved' },
    ...integration,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'An account that earns commissions on the payments of customers it referred' },
)
export type Affiliate = Static<typeof Affiliate>

/** `suspended_with_entitlement`: resumed with it too. */
const Row = Type.Object({ ...Affiliate.properties, suspended_with_entitlement: Type.Boolean() })
export const affiliatesTable = table('affiliates', 'affiliate', Row, {
  moves: affiliateMoves,
  derived: ['balance', 'available'],
  search: ['code', 'external_id'],
})

export const affiliateListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const AffiliateFilters = Closed({
  ...Paging,
  ...affiliateListing.parameters,
  ...externalIdFilter,
  status: AnyOf(Status),
})
export type AffiliateFilters = Static<typeof AffiliateFilters>
export const AdministratorsAffiliateFilters = acrossFilters({
  ...AffiliateFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsAffiliateFilters = Static<typeof AdministratorsAffiliateFilters>

export const NewAffiliate = Closed({
  organization_id: Type.Optional(Id),
  company: Company,
  currency: Currency,
  commission_rate: Rate,
  product_name: Type.Optional({ ...Name, description: 'Of the entitlement; `Affiliate program` when not given' }),
  ...givenIntegration,
})
export type NewAffiliate = Static<typeof NewAffiliate>

/** `closed` is final: later payments earn no commission. */
export const AffiliateChange = Closed({
  organization_id: Type.Optional(Id),
  commission_rate: Type.Optional(Rate),
  status: Type.Optional(Status),
  ...givenIntegration,
})
export type AffiliateChange = Static<typeof AffiliateChange>
