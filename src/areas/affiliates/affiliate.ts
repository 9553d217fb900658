// The affiliate and its commissions (docs/interface.md, Affiliates). Referred customers are never named.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { CalendarDate, Closed, Currency, Id, Money, Paging, Percent, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

const shape = {
  id: Id,
  organization_id: Id,
  code: Type.String({ examples: ['AFL-2026110001'] }),
  status: Type.Enum(['active', 'suspended', 'closed'], { examples: ['active'] }),
  entitlement_id: Id,
  commission_rate: { ...Percent, description: 'Percent of the payment without tax' },
  currency: Currency,
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const AffiliateRow = Type.Object(shape)
export const affiliateMoves = moves(['active', 'suspended', 'closed'], {
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  close: { from: ['active', 'suspended'], to: 'closed' },
})

export const affiliatesTable = table('affiliates', 'affiliate', AffiliateRow, { moves: affiliateMoves })

export const Affiliate = Type.Object(
  { ...shape, balance: { ...Money, description: 'The earned commissions in `currency`' } },
  { description: 'An account that earns commissions on the payments of customers it referred' },
)
export type Affiliate = Static<typeof Affiliate>

export const AffiliateFilters = Closed({ ...Paging, status: Type.Optional(shape.status) })
export type AffiliateFilters = Static<typeof AffiliateFilters>

/** `closed` is final: later payments earn no commission. */
export const AffiliateChange = Closed({
  organization_id: Type.Optional(Id),
  commission_rate: Type.Optional(shape.commission_rate),
  status: Type.Optional(shape.status),
})
export type AffiliateChange = Static<typeof AffiliateChange>

export const STATUSES = ['pending', 'earned', 'reversed'] as const
const CommissionStatus = Type.Enum(STATUSES, { examples: ['pending'] })

export const commissionMoves = moves(STATUSES, {
  earn: { from: ['pending'], to: 'earned' },
  reverse: { from: ['pending', 'earned'], to: 'reversed' },
})

export const Commission = Type.Object({
  id: Id,
  organization_id: Id,
  affiliate_id: Id,
  status: CommissionStatus,
  rate: Percent,
  currency: Currency,
  amount: Money,
  paid_on: CalendarDate,
  earns_at: Timestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Commission = Static<typeof Commission>
export const CommissionRow = Type.Object({ ...Commission.properties, payment_id: Id })
/** `payment_id` would identify the payer, so the audit log masks it. */
export const commissionsTable = table('commissions', 'commission', CommissionRow, {
  moves: commissionMoves,
  masked: ['payment_id'],
})

export const Referral = Type.Object(
  { id: Id, date: CalendarDate, amount: Money, currency: Currency, status: CommissionStatus, earns_at: Timestamp },
  { description: 'A payment that earned a commission; the payer is not named' },
)
export type Referral = Static<typeof Referral>
export const ReferralFilters = Closed({ ...Paging, status: Type.Optional(CommissionStatus) })
export type ReferralFilters = Static<typeof ReferralFilters>
