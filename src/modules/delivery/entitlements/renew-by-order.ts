// Extends an entitlement by the term that an order pays for, and takes it back when the order is refunded
// (docs/billing.md).
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { type Interval, monthsAfter } from './periods.ts'
import { zoneOf } from '#ports/ports.ts'
import { entitlementsTable, type Renewal, type StatusReason } from './entitlement.ts'
import { cancelEntitlement } from './move-entitlement.ts'
import { moveEnd } from './paid-end.ts'
import { entitlements, type Renewable } from './queries.ts'

/** Why it cannot be extended by a term; null: it can. */
export function renewalProblem({ status, expires_at, renews }: Renewable): string | null {
  if (status === 'cancelled') return 'is of an entitlement that is cancelled'
  if (expires_at === null) return 'is of an entitlement without end'
  return renews ? 'is of an entitlement that a subscription renews' : null
}

/** The end of the next term, counted from the day of the first sale, or from the first end that is known. */
export const termAfter = (
  end: Date,
  interval: Interval,
  { created_at, renewals }: Pick<Renewable, 'created_at' | 'renewals'>,
): Date =>
  monthsAfter(
    end,
    interval,
    [created_at, ...renewals.map(({ from }) => from)].map((day) => new Date(day)),
  )

/** Locks them. */
export const renewableOf = (ctx: OrganizationContext, codes: readonly string[]): Promise<Renewable[]> =>
  codes.length === 0 ? Promise.resolve([]) : ctx.ask(entitlements.renewable(ctx.organizationId, codes))

/** From its end on, whenever the order is paid; its update period ends no earlier. Returns its id. */
export async function renewByOrder(
  ctx: OrganizationContext,
  code: string,
  { orderId: order_id, months }: { orderId: number; months: number },
): Promise<number> {
  const one = await first(ctx, entitlements.renewable(ctx.organizationId, [code]))
  const problem = one ? renewalProblem(one) : 'is no entitlement of the organization'
  if (!one || one.expires_at === null || problem !== null)
    throw new PermanentFailure(`order ${order_id} cannot extend ${code}: it ${problem}`)
  const { id, expires_at: from, updates_until: updates_from, renewals } = one
  const until = termAfter(new Date(from), { months, timeZone: zoneOf(ctx, one.company) }, one)
  const to = until.toISOString()
  const updates_to = updates_from !== null && Date.parse(updates_from) < until.getTime() ? to : updates_from
  await moveEnd(ctx, one, { until, awaited: null })
  const made = { order_id, from, to, updates_from, updates_to, is_refunded: false }
  await update(ctx, entitlementsTable, id, { updates_until: updates_to, renewals: [...renewals, made] })
  return id
}

/**
 * For an order that was refunded or has ended: its entitlements are cancelled, those that it extended get their end
 * back.
 */
export async function endEntitlementsSoldBy(
  ctx: OrganizationContext,
  orderId: number,
  code: StatusReason,
): Promise<void> {
  for (const { id, status } of await entitlements.ofOrderForChange(ctx, orderId))
    if (status !== 'cancelled') await cancelEntitlement(ctx, id, { code })
  for (const one of await ctx.ask(entitlements.renewedBy(ctx.organizationId, orderId)))
    await takeBack(ctx, one, orderId)
}

/**
 * Whatever the order of refunds, it ends where the latest renewal that is not refunded does. Another end is staff's.
 */
async function takeBack(ctx: OrganizationContext, one: Renewable, orderId: number): Promise<void> {
  const { id, expires_at, updates_until } = one
  const renewals = one.renewals.map((each) => (each.order_id === orderId ? { ...each, is_refunded: true } : each))
  const end = endBefore(renewals, expires_at, ({ from, to }) => [from, to])
  const updates = endBefore(renewals, updates_until, ({ updates_from, updates_to }) => [updates_from, updates_to])
  if (end !== null && end !== expires_at && one.status !== 'cancelled')
    await moveEnd(ctx, one, { until: new Date(end), awaited: null })
  await update(ctx, entitlementsTable, id, { updates_until: updates, renewals })
}

type Bounds = (one: Renewal) => [from: string | null, to: string | null]

function endBefore(renewals: readonly Renewal[], end: string | null, bounds: Bounds): string | null {
  let before = end
  for (const one of renewals.toReversed()) {
    const [from, to] = bounds(one)
    if (one.is_refunded && before !== null && to !== null && Date.parse(to) === Date.parse(before)) before = from
  }
  return before
}
