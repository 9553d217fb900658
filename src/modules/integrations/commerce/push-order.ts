// POST /admin/commerce/orders/{id}/push: staff decide that our status counts.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { CommerceOrder } from './commerce-order.ts'
import { commerceOrders } from './queries.ts'
import { syncLater } from './sync-order.ts'

export async function pushOrder(ctx: SystemContext, id: number): Promise<CommerceOrder> {
  const found = await first(ctx, commerceOrders.one(id))
  if (!found) throw notFound()
  await syncLater(await ctx.enter(found.organization_id), found.order_id, true)
  return found
}
