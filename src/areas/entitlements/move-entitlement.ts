// The changes of an entitlement's state and end, with those of what depends on it.
import { assertProduct } from '#areas/products/offers.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { sql } from '#kernel/data/sql.ts'
import {
  cancelDependents,
  endOfDependents,
  expireDependents,
  renewDependents,
  resumeDependents,
  suspendDependents,
} from './follow-entitlement.ts'
import { type Entitlement, type EntitlementChange, entitlementMoves, entitlementsTable } from './entitlement.ts'

export async function changeEntitlement(
  ctx: OrganizationContext,
  id: number,
  body: EntitlementChange,
): Promise<Entitlement> {
  const values = ownBody(ctx, body)
  await assertProduct(ctx, values.product_id)
  const follow = values.expires_at === undefined ? null : await endOfDependents(ctx, id, values.expires_at)
  const entitlement = await update(ctx, entitlementsTable, id, values)
  await follow?.()
  return entitlement
}

export async function suspendEntitlement(ctx: OrganizationContext, id: number): Promise<Entitlement> {
  const entitlement = await move(ctx, entitlementsTable, id, entitlementMoves.suspend)
  await suspendDependents(ctx, id)
  return entitlement
}

export async function resumeEntitlement(ctx: OrganizationContext, id: number): Promise<Entitlement> {
  const entitlement = await move(ctx, entitlementsTable, id, entitlementMoves.resume)
  await resumeDependents(ctx, id)
  return entitlement
}

export async function cancelEntitlement(ctx: OrganizationContext, id: number): Promise<Entitlement> {
  const entitlement = await move(ctx, entitlementsTable, id, entitlementMoves.cancel)
  await cancelDependents(ctx, id)
  return entitlement
}

/** Makes an expired entitlement active again, with a new end in the future or without one. */
export async function renewEntitlement(
  ctx: OrganizationContext,
  id: number,
  expiresAt: string | null,
): Promise<Entitlement> {
  const entitlement = await move(ctx, entitlementsTable, id, entitlementMoves.renew, { expires_at: expiresAt })
  await renewDependents(ctx, id, expiresAt)
  return entitlement
}

/** For the expiry job: does nothing when the entitlement was renewed meanwhile. */
export async function expireEntitlement(ctx: OrganizationContext, id: number): Promise<void> {
  const [due] =
    await ctx.ask(sql`select id from entitlements where organization_id = ${ctx.organizationId} and id = ${id}
    and expires_at <= ${ctx.now} and status in ('active', 'suspended')`)
  if (!due) return
  await move(ctx, entitlementsTable, id, entitlementMoves.expire)
  await expireDependents(ctx, id)
}

/** Cancels all entitlements of a refunded order. */
export async function cancelEntitlementsOfOrder(ctx: OrganizationContext, orderId: number): Promise<void> {
  const rows = await ctx.ask<{ id: number }>(sql`select id from entitlements
    where organization_id = ${ctx.organizationId} and order_id = ${orderId} and status <> 'cancelled' order by id`)
  for (const { id } of rows) await cancelEntitlement(ctx, id)
}
