// Decisions of staff on a refund: approve it, reject it, or record that it was paid by hand.
import { payments } from '#areas/payments/payment-records.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { refunds } from './queries.ts'
import { type Refund, refundMoves, type RefundRejection, refundsTable } from './refund.ts'
import { leftFor, releaseReserved } from './reserved-amounts.ts'
import { settleRefund } from './settle-refund.ts'
import { sendRefundLater } from './send-refund.ts'

export async function approveRefund(ctx: OrganizationContext, id: number): Promise<Refund> {
  const refund = await waiting(ctx, id, 'approved')
  if (refund.is_approved) throw conflict('The refund has been approved already')
  const approved = await update(ctx, refundsTable, id, { is_approved: true }, refundsTable.events.approved)
  await sendRefundLater(ctx, id)
  return approved
}

/** Not after the approval: the provider may have the refund then. */
export async function rejectRefund(ctx: OrganizationContext, id: number, body: RefundRejection): Promise<Refund> {
  const { reason = null } = ownBody(ctx, body)
  const refund = await waiting(ctx, id, 'rejected')
  if (refund.is_approved) throw conflict('The refund has been approved already')
  await releaseReserved(ctx, refund)
  return move(ctx, refundsTable, id, refundMoves.reject, { rejection_reason: reason })
}

/** For a refund that the provider cannot make: the money did not come through it, or the refund failed there. */
export async function settleByHand(ctx: OrganizationContext, id: number): Promise<Refund> {
  const refund = await refunds.forChange(ctx, id)
  if (refund.status === 'failed') await assertNotSpent(ctx, refund)
  else await assertNotByProvider(ctx, refund)
  await settleRefund(ctx, id, { status: 'succeeded' })
  return refunds.forChange(ctx, id)
}

async function assertNotSpent(ctx: OrganizationContext, refund: Refund): Promise<void> {
  if (parseMoney(refund.amount, refund.currency) > (await leftFor(ctx, refund)))
    throw conflict('The amount has been refunded otherwise, or is about to be')
}

async function assertNotByProvider(ctx: OrganizationContext, refund: Refund): Promise<void> {
  assertNotEnded(refund, 'settled')
  if (!refund.is_approved) throw conflict('The refund has to be approved first')
  const payment = refund.payment_id === null ? undefined : await payments.of(ctx, refund.payment_id)
  if (payment?.source === 'provider' || refund.provider_reference !== null)
    throw conflict('It was paid at the payment provider, which confirms the refund itself')
}

async function waiting(ctx: OrganizationContext, id: number, act: string): Promise<Refund> {
  const refund = await refunds.forChange(ctx, id)
  assertNotEnded(refund, act)
  return refund
}

function assertNotEnded({ status }: Refund, act: string): void {
  if (!allows(refundMoves.reject, status)) throw conflict(`A refund that is ${status} cannot be ${act}`)
}
