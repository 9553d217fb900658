// The dispute (docs/decisions/0067): the payer's bank asks the payment provider for a payment back, and decides.
import { AMOUNT, listing, TIME } from '#kernel/data/lists/listing.ts'
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { table } from '#kernel/data/table.ts'
import {
  AnyOf,
  Closed,
  Company,
  Currency,
  Id,
  Line,
  Money,
  Nullable,
  Paging,
  Timestamp,
} from '#kernel/values/schema.ts'
import { DISPUTE_STATUSES } from '#ports/payments.ts'

export const DisputeStatus = Type.Enum(DISPUTE_STATUSES, {
  examples: ['open'],
  description: '`won`: the vendor keeps the money; `lost`: it went back to the payer',
})

/** A bank may decide again. */
export const disputeMoves = moves(DISPUTE_STATUSES, {
  win: { from: ['open'], to: 'won' },
  lose: { from: ['open', 'won'], to: 'lost' },
})

export const Dispute = Type.Object(
  {
    id: Id,
    organization_id: Id,
    invoice_id: { ...Id, description: 'The invoice whose payment is disputed' },
    payment_id: Nullable(Id),
    status: DisputeStatus,
    amount: { ...Money, description: 'What is disputed, which may be a part of the payment' },
    currency: Currency,
    reason: { ...Line, description: 'By the payment provider’s name', examples: ['fraudulent'] },
    answer_by: Nullable({ ...Timestamp, description: 'Until when staff can answer at the payment provider' }),
    is_withdrawn: Type.Boolean({
      description: 'Whether the provider has taken the amount out of the vendor’s account',
    }),
    company: Company,
    provider: Line,
    reference: { ...Line, description: 'The payment provider’s id', examples: ['du_1QxR2eLkdIwHu7ix'] },
    settled_at: Nullable({ ...Timestamp, description: 'When it was last won or lost' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A payment that the payer’s bank asks back' },
)
export type Dispute = Static<typeof Dispute>
export const disputesTable = table('disputes', 'dispute', Dispute, { moves: disputeMoves })

export const disputeListing = listing({ created_at: TIME, updated_at: TIME, amount: AMOUNT }, 'updated_at')
export const DisputeFilters = Closed({
  ...Paging,
  ...disputeListing.parameters,
  status: AnyOf(DisputeStatus),
  invoice_id: Type.Optional(Id),
})
export type DisputeFilters = Static<typeof DisputeFilters>
export const AdministratorsDisputeFilters = acrossFilters({
  ...DisputeFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsDisputeFilters = Static<typeof AdministratorsDisputeFilters>
