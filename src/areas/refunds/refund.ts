// The refund (docs/interface.md, Quotes, orders, payment): ours to decide, the provider's to confirm.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/moves.ts'
import { Currency, Id, Line, Money, Nullable, Text, Timestamp } from '#kernel/schema.ts'
import { table } from '#kernel/table.ts'

export const STATUSES = ['processing', 'succeeded', 'failed', 'rejected'] as const

export const refundMoves = moves(STATUSES, {
  succeed: { from: ['processing', 'failed'], to: 'succeeded' },
  fail: { from: ['processing'], to: 'failed' },
})

export const RefundRow = Type.Object({
  id: Id,
  organization_id: Id,
  order_id: Id,
  invoice_id: Id,
  status: Type.Enum(STATUSES),
  is_approved: Type.Boolean(),
  amount: Money,
  currency: Currency,
  reason: Nullable(Text),
  provider_reference: Nullable(Line),
  requested_by: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type RefundRow = Static<typeof RefundRow>
export const refundsTable = table('refunds', 'refund', RefundRow)
