// Suspends an entitlement for which what is due was not paid, and resumes it when that is settled; never one that was
// suspended for another reason (docs/decisions/0057).
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { type Entitlement, entitlementsTable, isInArrears } from './entitlement.ts'
import { resumeEntitlement, suspendEntitlement } from './move-entitlement.ts'
import { type Access, entitlements } from './queries.ts'

export type { Access }

export const entitlementForChange = (ctx: OrganizationContext, id: number): Promise<Entitlement | undefined> =>
  first(ctx, entitlements.inFullForChange(ctx.organizationId, id))

export const hasEnded = ({ status, expires_at, renews }: Entitlement, now: Date): boolean =>
  (status !== 'active' && status !== 'suspended') ||
  (expires_at !== null && !renews && Date.parse(expires_at) <= now.getTime())

/** When it is to be suspended, and what is due for it. */
export type Suspension = { at: Date; reason: string }

/** Null: nothing is due for it. */
export async function applyArrears(ctx: OrganizationContext, one: Entitlement, due: Suspension | null): Promise<void> {
  const { id, status } = one
  const isLate = due !== null && due.at <= ctx.now
  const suspends_at = due?.at.toISOString() ?? null
  const suspends_reason = due?.reason ?? null
  if (one.suspends_at !== suspends_at || one.suspends_reason !== suspends_reason) {
    const words = isLate && isInArrears(one) ? { status_reason: suspends_reason } : {}
    await update(ctx, entitlementsTable, id, { suspends_at, suspends_reason, ...words })
  }
  if (isLate && status === 'active')
    await suspendEntitlement(ctx, id, { code: 'payment_overdue', reason: suspends_reason })
  // What has ended meanwhile expires instead.
  if (!isLate && isInArrears(one) && !hasEnded(one, ctx.now))
    await resumeEntitlement(ctx, id, { code: 'payment_settled' })
}

/** What of an order may be used. */
export const accessOfOrder = entitlements.accessOfOrder
/** Of all organizations: entitlements that are active although the time has come. */
export const entitlementsToSuspend = entitlements.toSuspend
/** Of all organizations: entitlements that may be suspended for what is due, or have been. */
export const entitlementsAwaiting = entitlements.awaiting
export const entitlementsAwaitingIn = entitlements.awaitingIn
