// What becomes of a payout: staff approve, pay or reject it; the affiliate may cancel it before.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { balanceOf, postPayout, reserve } from './change-sums.ts'
import { type Payout, type PayoutPayment, payoutMoves, type PayoutRejection, payoutsTable } from './payout.ts'
import { payouts } from './payout-queries.ts'
import { affiliates } from './queries.ts'

/** The ids of the path. */
type At = { id: number; payout_id: number }

export async function approvePayout(ctx: OrganizationContext, at: At): Promise<Payout> {
  await payouts.assertThere(ctx, at)
  return move(ctx, payoutsTable, at.payout_id, payoutMoves.approve)
}

/** Not while a reversal since the request has left less than the amount: later commissions have to fill that first. */
export async function payPayout(ctx: OrganizationContext, at: At, body: PayoutPayment): Promise<Payout> {
  const { reference, paid_at = ctx.now.toISOString() } = ownBody(ctx, body)
  await payouts.assertThere(ctx, at)
  const payout = await move(ctx, payoutsTable, at.payout_id, payoutMoves.pay, { reference, paid_at })
  const account = await affiliates.forChange(ctx, at.id)
  const amount = parseMoney(payout.amount, payout.currency)
  if (amount > balanceOf(account))
    throw conflict(
      'balance_too_low',
      `The balance is ${account.balance} ${account.currency} by now: reject the payout, or pay it later`,
    )
  await postPayout(ctx, account, { payout_id: payout.id, amount })
  return payout
}

export async function rejectPayout(ctx: OrganizationContext, at: At, body: PayoutRejection): Promise<Payout> {
  const { reason: rejection_reason } = ownBody(ctx, body)
  await payouts.assertThere(ctx, at)
  const payout = await move(ctx, payoutsTable, at.payout_id, payoutMoves.reject, { rejection_reason })
  await release(ctx, payout)
  return payout
}

export async function cancelPayout(ctx: OrganizationContext, at: At): Promise<Payout> {
  await payouts.assertThere(ctx, at)
  const payout = await move(ctx, payoutsTable, at.payout_id, payoutMoves.cancel)
  await release(ctx, payout)
  return payout
}

async function release(ctx: OrganizationContext, { affiliate_id, amount, currency }: Payout): Promise<void> {
  await reserve(ctx, await affiliates.forChange(ctx, affiliate_id), -parseMoney(amount, currency))
}
