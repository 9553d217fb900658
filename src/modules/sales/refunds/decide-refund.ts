// Decisions of staff on a refund: approve it, reject it, or record that it was paid by hand.
import { invoices } from '#modules/sales/invoices/queries.ts'
import { move, update } from '#kernel/data/changes.ts'
import { providerBehind } from '#modules/sales/payments/ask-provider.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { refunds } from './queries.ts'
import {
  isOfInvoice,
  type Refund,
  type RefundApproval,
  refundMoves,
  type RefundRejection,
  type RefundSettlement,
  refundsTable,
} from './refund.ts'
import { leftFor, releaseReserved } from './reserved-amounts.ts'
import { applyRefundState } from './apply-refund-state.ts'
import { assertNoCancelling, assertNotDisputed, assertPaymentNotDisputed } from './start-refund.ts'
import { sendRefundLater } from './send-refund.ts'

export async function approveRefund(ctx: OrganizationContext, id: number, body: RefundApproval = {}): Promise<Refund> {
  const { tax_invoice_action: action } = ownBody(ctx, body)
  const refund = await waiting(ctx, id, 'approved')
  if (refund.is_approved) throw conflict('refund_approved', 'The refund has been approved already')
  await assertUndisputed(ctx, refund)
  if (action === 'cancel' && (!isOfInvoice(refund) || (await leftFor(ctx, refund)) > 0n)) assertNoCancelling(action)
  const values = { is_approved: true, tax_invoice_action: action }
  const approved = await update(ctx, refundsTable, id, values, refundsTable.events.approved)
  await sendRefundLater(ctx, id)
  return approved
}

async function assertUndisputed(ctx: OrganizationContext, refund: Refund): Promise<void> {
  if (isOfInvoice(refund)) return assertNotDisputed(await invoices.forChange(ctx, refund.invoice_id))
  const payment = refund.payment_id === null ? undefined : await payments.of(ctx, refund.payment_id)
  if (payment) await assertPaymentNotDisputed(ctx, payment)
}

/** Not after the approval: the provider may have the refund then. */
export async function rejectRefund(ctx: OrganizationContext, id: number, body: RefundRejection): Promise<Refund> {
  const { reason = null } = ownBody(ctx, body)
  const refund = await waiting(ctx, id, 'rejected')
  if (refund.is_approved) throw conflict('refund_approved', 'The refund has been approved already')
  await releaseReserved(ctx, refund)
  const values = { rejection_reason: reason, settled_at: ctx.now.toISOString() }
  return move(ctx, refundsTable, id, refundMoves.reject, values)
}

/** Whether the provider that has the payment, and so makes the refund, is still in use. */
export async function isConfirmedByProvider(io: IoContext, id: number): Promise<boolean> {
  const [refund] = await io.read(refunds.toSend(io.organizationId ?? 0, id))
  if (refund?.source !== 'provider' || refund.company === null || refund.reference === null) return false
  return (await providerBehind(io, refund.company, refund.reference)).payments !== null
}

/**
 * For a refund that the provider cannot make or confirm: the money did not come through it, the refund failed there, or
 * the provider is not in use any more.
 */
export async function decideByHand(
  ctx: OrganizationContext,
  id: number,
  { body, isConfirmed }: { body: RefundSettlement; isConfirmed: boolean },
): Promise<Refund> {
  const { status = 'succeeded', reason = null } = ownBody(ctx, body)
  const refund = await refunds.forChange(ctx, id)
  if (refund.status !== 'failed') assertNotByProvider(refund, isConfirmed)
  else if (status === 'failed') throw conflict('refund_failed', 'The refund has failed already')
  else await assertNotSpent(ctx, refund)
  await applyRefundState(ctx, id, { status, reason })
  return refunds.forChange(ctx, id)
}

async function assertNotSpent(ctx: OrganizationContext, refund: Refund): Promise<void> {
  if (parseMoney(refund.amount, refund.currency) > (await leftFor(ctx, refund)))
    throw conflict('refunded_otherwise', 'The amount has been refunded otherwise, or is about to be')
}

function assertNotByProvider(refund: Refund, isConfirmed: boolean): void {
  assertNotEnded(refund, 'settled')
  if (!refund.is_approved) throw conflict('refund_not_approved', 'The refund has to be approved first')
  if (isConfirmed)
    throw conflict(
      'refund_confirmed_by_provider',
      'It was paid at the payment provider, which confirms the refund itself',
    )
}

async function waiting(ctx: OrganizationContext, id: number, act: string): Promise<Refund> {
  const refund = await refunds.forChange(ctx, id)
  assertNotEnded(refund, act)
  return refund
}

function assertNotEnded({ status }: Refund, act: string): void {
  if (!allows(refundMoves.reject, status))
    throw conflict('status_not_allowed', `A refund that is ${status} cannot be ${act}`)
}
