// Moves the ends of an order's entitlements to the end of the time that is paid, with all that ends with them
// (docs/decisions/0053).
import { endContractsOf } from '#areas/contracts/follow-entitlement.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { type Entitlement, entitlementMoves } from './entitlement.ts'
import { changeEnd, changeEntitlement, expireEntitlement, renewEntitlement } from './move-entitlement.ts'
import { type Ending, entitlements } from './queries.ts'

/** The end of the paid time, and of the time after it for which a payment is awaited; null: none is. */
export type PaidEnd = { until: Date; awaited: Date | null }

/**
 * Extends those that have an end to `until` at least, also expired ones, and their update periods: whoever pays for the
 * time gets its releases. While the next payment is awaited they do not expire then.
 */
export async function extendEntitlementsOfOrder(
  ctx: OrganizationContext,
  orderId: number,
  { until, awaited }: PaidEnd,
): Promise<void> {
  const isEarlier = (end: string | null) => end !== null && Date.parse(end) < until.getTime()
  for (const one of await entitlements.ofOrder(ctx, orderId)) {
    if (isEarlier(one.updates_until)) await moveUpdates(ctx, one, until)
    if (isEarlier(one.expires_at)) await moveEnd(ctx, one, { until, awaited })
  }
}

/**
 * Which of them wait for the next payment: those that it would extend. Their end is that of the latest paid period, or of
 * the term that was sold, which began with the delivery and not with the payment.
 */
export async function markEntitlementsOfOrder(
  ctx: OrganizationContext,
  orderId: number,
  paid: PaidEnd | null,
): Promise<void> {
  const { until = null, awaited = null } = paid ?? {}
  const isExtended = (end: string | null) =>
    end !== null && until !== null && awaited !== null && until <= new Date(end) && new Date(end) < awaited
  for (const { id, expires_at, renews, status } of await entitlements.ofOrder(ctx, orderId)) {
    const waits = isExtended(expires_at) && status !== 'expired'
    if (waits === renews) continue
    await changeEnd(ctx, id, { expires_at, renews: waits })
    if (!waits) await expireEntitlement(ctx, id)
  }
}

/** Null without an order. */
export const orderOfEntitlement = async (ctx: OrganizationContext, id: number): Promise<number | null> =>
  (await first(ctx, entitlements.orderOf(ctx.organizationId, id)))?.order_id ?? null

/** Shortens those that end at one of `ends`, which are not paid any more. Other ends are not payments'. */
export async function retractEntitlementsOfOrder(
  ctx: OrganizationContext,
  orderId: number,
  { ends, untilOf }: { ends: readonly Date[]; untilOf: (one: Ending) => Date },
): Promise<void> {
  const isUnpaid = (end: string | null) => end !== null && ends.some((one) => one.getTime() === Date.parse(end))
  for (const one of await entitlements.ofOrder(ctx, orderId)) {
    const until = untilOf(one)
    const isRetracted = (end: string | null) => isUnpaid(end) && Date.parse(end ?? '') > until.getTime()
    if (isRetracted(one.updates_until)) await moveUpdates(ctx, one, until)
    if (isRetracted(one.expires_at)) await moveEnd(ctx, one, { until, awaited: null })
  }
}

/** Ends them at `until` at the latest; with `keepsTerms` only those without an end. */
export async function endEntitlementsOfOrder(
  ctx: OrganizationContext,
  orderId: number,
  until: Date,
  { keepsTerms }: { keepsTerms: boolean },
): Promise<void> {
  for (const one of await entitlements.ofOrder(ctx, orderId)) {
    const isLater = one.expires_at === null || (!keepsTerms && Date.parse(one.expires_at) > until.getTime())
    if (isLater && allows(entitlementMoves.expire, one.status)) await moveEnd(ctx, one, { until, awaited: null })
  }
}

const moveUpdates = (ctx: OrganizationContext, { id }: Ending, until: Date): Promise<Entitlement> =>
  changeEntitlement(ctx, id, { updates_until: until.toISOString() })

async function moveEnd(
  ctx: OrganizationContext,
  { id, status, expires_at: from }: Ending,
  { until, awaited }: PaidEnd,
): Promise<void> {
  const to = until.toISOString()
  const isOver = until <= ctx.now
  if ((!isOver || awaited !== null) && allows(entitlementMoves.renew, status))
    await renewEntitlement(ctx, id, { expiresAt: to, code: 'renewed' })
  else await changeEnd(ctx, id, { expires_at: to, renews: awaited !== null })
  await endContractsOf(ctx, id, { from, to })
  if (isOver && awaited === null) await expireEntitlement(ctx, id)
}
