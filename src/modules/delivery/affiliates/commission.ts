// The commission on a payment, and the referral that customers see of it. The payer is never named.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { AnyOf, CalendarDate, Closed, Currency, Id, Money, Paging, Percent, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

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
export const ReferralFilters = Closed({ ...Paging, status: AnyOf(CommissionStatus) })
export type ReferralFilters = Static<typeof ReferralFilters>
