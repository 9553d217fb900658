// An entitlement of another system becomes what an order sold, so that its payments extend it.
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { type EntitlementSale, entitlementsTable } from './entitlement.ts'
import { entitlements } from './queries.ts'

/** Locked; 422 when the organization has no such, or an order has sold it already. */
export async function unsoldEntitlement(ctx: OrganizationContext, id: number): Promise<EntitlementSale> {
  const entitlement = await first(ctx, entitlements.sold(ctx.organizationId, id))
  if (!entitlement) throw invalid({ entitlement_id: 'names no entitlement of this organization' })
  if (entitlement.order_id !== null) throw invalid({ entitlement_id: 'is that of another order' })
  return entitlement
}

/** As its first line. */
export async function attachToOrder(ctx: OrganizationContext, id: number, orderId: number): Promise<void> {
  await update(ctx, entitlementsTable, id, { order_id: orderId, quote_line: 0 })
}
