// The payout of an affiliate's balance (docs/interface/delivery.md, Affiliates): requested by the affiliate, decided by
// staff.
import { AMOUNT, listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import {
  AnyOf,
  Closed,
  Currency,
  Id,
  Money,
  Name,
  Nullable,
  Paging,
  Reference,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

const STATUSES = ['requested', 'approved', 'paid', 'rejected', 'cancelled'] as const
const PayoutStatus = Type.Enum(STATUSES, { examples: ['requested'] })

export const payoutMoves = moves(STATUSES, {
  approve: { from: ['requested'], to: 'approved' },
  pay: { from: ['approved'], to: 'paid' },
  reject: { from: ['requested', 'approved'], to: 'rejected' },
  cancel: { from: ['requested'], to: 'cancelled' },
})

const PaymentReference = { ...Reference, description: 'Of the transfer', examples: ['PIX-E1234567820261201'] }

export const Payout = Type.Object(
  {
    id: Id,
    organization_id: Id,
    affiliate_id: Id,
    status: PayoutStatus,
    amount: Money,
    currency: Currency,
    reference: Nullable(PaymentReference),
    rejection_reason: Nullable(Text),
    requested_by: Nullable(Id),
    paid_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A part of an affiliate’s balance that is paid out' },
)
export type Payout = Static<typeof Payout>
export const payoutsTable = table('affiliate_payouts', 'payout', Payout, { moves: payoutMoves })

export const AdministratorsPayout = Type.Object({
  ...Payout.properties,
  organization_name: Name,
  affiliate_code: Type.String({ examples: ['AFL-2026110001'] }),
})

export const ByPayout = Closed({ id: Id, payout_id: Id })
export const PayoutFilters = Closed({ ...Paging, status: AnyOf(PayoutStatus) })
export type PayoutFilters = Static<typeof PayoutFilters>
export const payoutListing = listing({ created_at: TIME, updated_at: TIME, amount: AMOUNT }, 'updated_at')
export const AdministratorsPayoutFilters = Closed({
  ...PayoutFilters.properties,
  ...payoutListing.parameters,
  organization_id: Type.Optional(Id),
})
export type AdministratorsPayoutFilters = Static<typeof AdministratorsPayoutFilters>

export const NewPayout = Closed({
  organization_id: Type.Optional(Id),
  amount: Type.Optional({ ...Money, description: 'By default all that is available' }),
})
export type NewPayout = Static<typeof NewPayout>

export const PayoutPayment = Closed({
  organization_id: Type.Optional(Id),
  reference: PaymentReference,
  paid_at: Type.Optional(Timestamp),
})
export type PayoutPayment = Static<typeof PayoutPayment>

export const PayoutRejection = Closed({
  organization_id: Type.Optional(Id),
  reason: { ...Text, minLength: 1, pattern: '\\S', description: 'The affiliate sees it' },
})
export type PayoutRejection = Static<typeof PayoutRejection>
