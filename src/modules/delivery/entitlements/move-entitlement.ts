// The changes of an entitlement's state and end, with those of what depends on it.
import { assertProduct } from '#modules/delivery/products/offers.ts'
import { move, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { ownBody } from '#http/organization-body.ts'
import { sql } from '#kernel/values/sql.ts'
import {
  cancelDependents,
  changePlanOfDependents,
  endOfDependents,
  expireDependents,
  markDependents,
  renewDependents,
  resumeDependents,
  suspendDependents,
} from './propagate-entitlement.ts'
import {
  type Entitlement,
  type EntitlementChange,
  entitlementMoves,
  type EntitlementReason,
  entitlementsTable,
  isInArrears,
  type StatusReason,
} from './entitlement.ts'
import { entitlements } from './queries.ts'

export async function changeEntitlement(
  ctx: OrganizationContext,
  id: number,
  body: EntitlementChange,
): Promise<Entitlement> {
  const { expires_at, ...values } = ownBody(ctx, body)
  await assertProduct(ctx, values.product_id)
  const changesPlan = values.features !== undefined || values.quantity !== undefined
  const before = changesPlan && (await first(ctx, entitlements.inFullForChange(ctx.organizationId, id)))
  const changed = await (expires_at === undefined
    ? update(ctx, entitlementsTable, id, values)
    : changeEnd(ctx, id, { ...values, expires_at, renews: false }))
  if (before && planOf(before) !== planOf(changed)) await changePlanOfDependents(ctx, id)
  return changed
}

/** What it gives, as a text to be compared. */
const planOf = ({ quantity, features }: Entitlement): string => JSON.stringify([quantity, features])

type End = Pick<Entitlement, 'expires_at' | 'renews'> & Pick<EntitlementChange, 'updates_until'>

/** With the licenses that end with it. The entitlement is locked before them, here as when it expires. */
export async function changeEnd(ctx: OrganizationContext, id: number, values: End): Promise<Entitlement> {
  await ctx.ask(entitlements.forChange(ctx.organizationId, id))
  const follow = await endOfDependents(ctx, id, values.expires_at)
  const entitlement = await update(ctx, entitlementsTable, id, values)
  await follow(entitlement.status)
  await markDependents(ctx, id, values.renews)
  return entitlement
}

/** What brings about a new status, with the words of whoever does it. */
type Why = { code: StatusReason | null; reason?: string | null | undefined }

export const byStaff = (ctx: OrganizationContext, body: EntitlementReason): Why => ({
  code: 'by_staff',
  reason: ownBody(ctx, body).reason,
})

/** The new status with its reason, which the audit entries of the entitlement and its dependents have too. */
const because = (ctx: OrganizationContext, { code, reason = null }: Why) => ({
  acting: reason === null ? ctx : { ...ctx, reason },
  status: { status_reason_code: code, status_reason: reason, status_since: ctx.now.toISOString() },
})

type Follow = (ctx: OrganizationContext, id: number) => Promise<void>

const moved =
  (act: MoveOf<typeof entitlementsTable>, follow: Follow, values: Partial<Entitlement> = {}) =>
  async (ctx: OrganizationContext, id: number, why: Why): Promise<Entitlement> => {
    const { acting, status } = because(ctx, why)
    const entitlement = await move(acting, entitlementsTable, id, act, { ...status, ...values })
    await follow(acting, id)
    return entitlement
  }

/** Staff also make one their own that was suspended for what is due, so that no payment resumes it. */
export async function suspendByStaff(ctx: OrganizationContext, id: number, why: Why): Promise<Entitlement> {
  const entitlement = await first(ctx, entitlements.inFullForChange(ctx.organizationId, id))
  if (!entitlement || !isInArrears(entitlement)) return suspendEntitlement(ctx, id, why)
  const { acting, status } = because(ctx, why)
  return update(acting, entitlementsTable, id, status)
}

/** 409 for one that was suspended for what is due: it would be suspended again at once. */
export async function resumeByStaff(ctx: OrganizationContext, id: number, why: Why): Promise<Entitlement> {
  const entitlement = await first(ctx, entitlements.inFullForChange(ctx.organizationId, id))
  if (entitlement && isInArrears(entitlement))
    throw conflict(
      'suspended_for_overdue_payment',
      'It is suspended for an overdue payment: record the payment, or hold dunning for the organization',
    )
  return resumeEntitlement(ctx, id, why)
}

export const suspendEntitlement = moved(entitlementMoves.suspend, suspendDependents)
export const resumeEntitlement = moved(entitlementMoves.resume, resumeDependents)
/** Nothing is to come any more. */
const FORGOTTEN = { scheduled: null, renews: false, suspends_at: null, suspends_reason: null }
export const cancelEntitlement = moved(entitlementMoves.cancel, cancelDependents, FORGOTTEN)
const expire = moved(entitlementMoves.expire, expireDependents)

/** Makes an expired entitlement active again, with a new end in the future or without one. */
export async function renewEntitlement(
  ctx: OrganizationContext,
  id: number,
  { expiresAt, ...why }: Why & { expiresAt: string | null },
): Promise<Entitlement> {
  const { acting, status } = because(ctx, why)
  const values = { ...status, expires_at: expiresAt }
  const entitlement = await move(acting, entitlementsTable, id, entitlementMoves.renew, values)
  await renewDependents(acting, id, expiresAt)
  return entitlement
}

/** Gives an expired entitlement that was suspended until its end a new one in the future. It stays suspended. */
export async function suspendAgain(
  ctx: OrganizationContext,
  id: number,
  { expiresAt, ...why }: Why & { expiresAt: string },
): Promise<void> {
  const { acting, status } = because(ctx, why)
  const follow = await endOfDependents(acting, id, expiresAt)
  const values = { ...status, expires_at: expiresAt }
  const entitlement = await move(acting, entitlementsTable, id, entitlementMoves.suspendAgain, values)
  await follow(entitlement.status)
}

/** For the expiry job: does nothing when the entitlement was renewed meanwhile. */
export async function expireEntitlement(ctx: OrganizationContext, id: number): Promise<void> {
  const [due] =
    await ctx.ask(sql`select id from entitlements where organization_id = ${ctx.organizationId} and id = ${id}
    and expires_at <= ${ctx.now} and not renews and status in ('active', 'suspended') for update`)
  if (!due) return
  await expire(ctx, id, { code: 'expired' })
}
