// Gives an order's entitlements the quantity that is paid, with the limits of their licenses (docs/decisions/0061).
import { limitLicensesOf } from '#modules/delivery/licenses/propagate-entitlement.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { changeEntitlement } from './move-entitlement.ts'
import { type Ending, entitlements } from './queries.ts'

/** `wanted`: undefined for one that keeps its quantity. */
export async function setQuantitiesOfOrder(
  ctx: OrganizationContext,
  orderId: number,
  wanted: (one: Pick<Ending, 'code' | 'quantity'>) => number | undefined,
): Promise<void> {
  for (const one of await entitlements.ofOrderForChange(ctx, orderId)) {
    const quantity = wanted(one)
    if (quantity === undefined || quantity === one.quantity) continue
    await changeEntitlement(ctx, one.id, { quantity })
    await limitLicensesOf(ctx, one.id, { from: one.quantity, to: quantity })
  }
}
