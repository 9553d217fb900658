// Changes the sums of an account, and writes the entry of its statement when the balance changes. The row is locked, so
// that sums and entries follow one another.
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import { zoneOf } from '#ports/ports.ts'
import { type Affiliate, affiliatesTable } from './affiliate.ts'
import { affiliates } from './queries.ts'
import { entriesTable } from './statement.ts'

type Sum = 'earned' | 'reversed' | 'paid_out' | 'reserved'
/** By how much each sum changes, in minor units. */
type Change = { [Name in Sum]?: bigint }

/** The balance in minor units; it may be negative, which `parseMoney` does not read. */
export function balanceOf({ earned, reversed, paid_out, currency }: Affiliate): bigint {
  return parseMoney(earned, currency) - parseMoney(reversed, currency) - parseMoney(paid_out, currency)
}

export const availableOf = (account: Affiliate): bigint =>
  balanceOf(account) - parseMoney(account.reserved, account.currency)

/** For payouts that are requested or end unpaid: the balance stays. */
export async function reserve(ctx: OrganizationContext, account: Affiliate, amount: bigint): Promise<void> {
  await add(ctx, account, { reserved: amount })
}

type Cause = { kind: 'earned' | 'reversed'; commission_id: number } | { kind: 'paid_out'; payout_id: number }

/** A commission that is earned or reversed. One in another currency than the account's has no part in its balance. */
export async function postCommission(
  ctx: OrganizationContext,
  affiliateId: number,
  { kind, commission_id, amount, currency }: { kind: 'earned' | 'reversed' } & PostedAmount,
): Promise<void> {
  const account = await affiliates.forChange(ctx, affiliateId)
  if (currency !== account.currency || amount === 0n) return
  const changed = await add(ctx, account, { [kind]: amount })
  await enter(ctx, changed, { kind, commission_id, amount: kind === 'earned' ? amount : -amount })
}
type PostedAmount = { commission_id: number; amount: bigint; currency: string }

/** Takes the amount from what is reserved. */
export async function postPayout(
  ctx: OrganizationContext,
  account: Affiliate,
  { payout_id, amount }: { payout_id: number; amount: bigint },
): Promise<void> {
  const changed = await add(ctx, account, { paid_out: amount, reserved: -amount })
  await enter(ctx, changed, { kind: 'paid_out', payout_id, amount: -amount })
}

function add(ctx: OrganizationContext, account: Affiliate, change: Change): Promise<Affiliate> {
  const { currency } = account
  const sum = (name: Sum) => formatMoney(parseMoney(account[name], currency) + (change[name] ?? 0n), currency)
  const sums = {
    earned: sum('earned'),
    reversed: sum('reversed'),
    paid_out: sum('paid_out'),
    reserved: sum('reserved'),
  }
  return update(ctx, affiliatesTable, account.id, sums)
}

async function enter(
  ctx: OrganizationContext,
  account: Affiliate,
  { amount, ...cause }: Cause & { amount: bigint },
): Promise<void> {
  const { id: affiliate_id, currency, company, balance } = account
  const date = dayIn(ctx.now, zoneOf(ctx, company))
  await insert(ctx, entriesTable, {
    ...cause,
    affiliate_id,
    currency,
    amount: formatMoney(amount, currency),
    balance,
    date,
  })
}
