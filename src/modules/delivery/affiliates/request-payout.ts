// POST /affiliates/{id}/payouts: the amount is reserved from the request on, so that it cannot be requested twice.
import { UNVERIFIED, verificationOf } from '#modules/delivery/customers/verification.ts'
import { insert } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { availableOf, reserve } from './change-sums.ts'
import { type NewPayout, type Payout, payoutsTable } from './payout.ts'
import { affiliates } from './queries.ts'

export async function requestPayout(ctx: OrganizationContext, affiliateId: number, body: NewPayout): Promise<Payout> {
  const { amount: wanted } = ownBody(ctx, body)
  const account = await affiliates.forChange(ctx, affiliateId)
  const { is_unverified } = await one(ctx, verificationOf(ctx.organizationId))
  if (is_unverified) throw conflict('organization_unverified', UNVERIFIED)
  const { currency } = account
  const available = availableOf(account)
  const amount = wanted === undefined ? available : amountField('amount', wanted, currency)
  if (wanted !== undefined && amount <= 0n) throw invalid({ amount: 'must be more than 0' })
  if (amount <= 0n || amount > available)
    throw invalid({ amount: `must be at most ${account.available}, which is available` })
  await reserve(ctx, account, amount)
  return insert(ctx, payoutsTable, {
    affiliate_id: affiliateId,
    status: 'requested',
    amount: formatMoney(amount, currency),
    currency,
    requested_by: ctx.caller.userId,
  })
}
