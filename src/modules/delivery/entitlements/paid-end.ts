// Moves the ends of an order's entitlements to the end of the time that is paid, with all that ends with them
// (docs/decisions/0053).
import { endContractsOf } from '#modules/delivery/contracts/propagate-entitlement.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import type { Period } from './periods.ts'
import { type Entitlement, entitlementMoves } from './entitlement.ts'
import { changeEnd, changeEntitlement, expireEntitlement, renewEntitlement, suspendAgain } from './move-entitlement.ts'
import { type Ending, entitlements } from './queries.ts'

/** The entitlements of the order that are paid by its renewals; `line` is that of the quote. */
export type RenewedEntitlements = { orderId: number; includes: (line: number | null) => boolean }

/** The end of the paid time, and the time after it for which a payment is awaited; null: none is. */
export type PaidEnd = { until: Date; awaited: Period | null }

const renewed = async (ctx: OrganizationContext, { orderId, includes }: RenewedEntitlements): Promise<Ending[]> =>
  (await entitlements.ofOrderForChange(ctx, orderId)).filter(({ quote_line }) => includes(quote_line))

/**
 * Extends those that have an end to `until` at least, also expired ones, and their update periods: whoever pays for the
 * time gets its releases. While the next payment is awaited they do not expire then.
 */
export async function extendEntitlementsOfOrder(
  ctx: OrganizationContext,
  of: RenewedEntitlements,
  { until, awaited }: PaidEnd,
): Promise<void> {
  const isEarlier = (end: string | null) => end !== null && Date.parse(end) < until.getTime()
  for (const one of await renewed(ctx, of)) {
    if (isEarlier(one.updates_until)) await moveUpdates(ctx, one, until)
    if (isEarlier(one.expires_at)) await moveEnd(ctx, one, { until, awaited })
  }
}

/**
 * Which of them wait for the next payment: those that it would extend. Their end is that of the latest paid period, or
 * of the term that was sold, which began with the delivery and not with the payment.
 */
export async function markEntitlementsOfOrder(
  ctx: OrganizationContext,
  of: RenewedEntitlements,
  paid: PaidEnd | null,
): Promise<void> {
  for (const { id, expires_at, renews, status } of await renewed(ctx, of)) {
    const waits = expires_at !== null && status !== 'expired' && isExtended(new Date(expires_at), paid)
    if (waits === renews) continue
    await changeEnd(ctx, id, { expires_at, renews: waits })
    if (!waits) await expireEntitlement(ctx, id)
  }
}

/** Not where a pause lies in between: what is awaited then begins later. */
const isExtended = (end: Date, paid: PaidEnd | null): boolean =>
  paid !== null && paid.awaited !== null && paid.awaited.start <= end && end < paid.awaited.end

/** Null without an order. */
export const orderOfEntitlement = async (ctx: OrganizationContext, id: number): Promise<number | null> =>
  (await first(ctx, entitlements.orderOf(ctx.organizationId, id)))?.order_id ?? null

/**
 * Shortens those that end at one of `ends`, which are not paid any more. Other ends are not payments'. While a payment
 * for the time after is awaited they do not expire.
 */
export async function retractEntitlementsOfOrder(
  ctx: OrganizationContext,
  of: RenewedEntitlements,
  { ends, untilOf, awaited }: { ends: readonly Date[]; untilOf: (one: Ending) => Date; awaited: Period | null },
): Promise<void> {
  const isUnpaid = (end: string | null) => end !== null && ends.some((one) => one.getTime() === Date.parse(end))
  for (const one of await renewed(ctx, of)) {
    const until = untilOf(one)
    const isRetracted = (end: string | null) => isUnpaid(end) && Date.parse(end ?? '') > until.getTime()
    if (isRetracted(one.updates_until)) await moveUpdates(ctx, one, until)
    if (!isRetracted(one.expires_at)) continue
    await moveEnd(ctx, one, { until, awaited: one.status === 'expired' ? null : awaited })
  }
}

/** When they end, those without an end left out. */
export const endsOfOrder = async (ctx: OrganizationContext, orderId: number): Promise<number[]> =>
  (await entitlements.ofOrderForChange(ctx, orderId)).flatMap(({ expires_at }) =>
    expires_at === null ? [] : Date.parse(expires_at),
  )

/** When they were delivered, each with the line of its quote. */
export const deliveriesOfOrder = async (
  ctx: OrganizationContext,
  orderId: number,
): Promise<{ at: Date; line: number | null }[]> =>
  (await entitlements.ofOrderForChange(ctx, orderId)).map(({ created_at, quote_line: line }) => ({
    at: new Date(created_at),
    line,
  }))

/** Ends them at `until` at the latest; with `keepsTerms` only those without an end. */
export async function endEntitlementsOfOrder(
  ctx: OrganizationContext,
  of: RenewedEntitlements,
  until: Date,
  { keepsTerms }: { keepsTerms: boolean },
): Promise<void> {
  for (const one of await renewed(ctx, of)) {
    const isLater = one.expires_at === null || (!keepsTerms && Date.parse(one.expires_at) > until.getTime())
    if (isLater && allows(entitlementMoves.expire, one.status)) await moveEnd(ctx, one, { until, awaited: null })
  }
}

const moveUpdates = (ctx: OrganizationContext, { id }: Ending, until: Date): Promise<Entitlement> =>
  changeEntitlement(ctx, id, { updates_until: until.toISOString() })

export async function moveEnd(ctx: OrganizationContext, one: Ending, paid: PaidEnd): Promise<void> {
  const { id, status, expires_at: from } = one
  const { until } = paid
  const to = until.toISOString()
  const isOver = until <= ctx.now
  const waits = isExtended(until, paid)
  if ((!isOver || waits) && allows(entitlementMoves.renew, status)) await bringBack(ctx, one, to)
  else await changeEnd(ctx, id, { expires_at: to, renews: waits })
  await endContractsOf(ctx, id, { from, to })
  if (isOver && !waits) await expireEntitlement(ctx, id)
}

/** Paying ends no suspension by staff, whether it comes before the end or after it. */
async function bringBack(ctx: OrganizationContext, { id }: Ending, expiresAt: string): Promise<void> {
  const ended = (await entitlements.endedFrom(ctx, id))?.before
  if (ended?.status !== 'suspended' || ended.status_reason_code === 'payment_overdue')
    return void (await renewEntitlement(ctx, id, { expiresAt, code: 'renewed' }))
  const { status_reason_code: code = null, status_reason: reason } = ended
  await suspendAgain(ctx, id, { expiresAt, code, reason })
}
