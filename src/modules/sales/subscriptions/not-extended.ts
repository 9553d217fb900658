// What a subscription renews is not extended by a sold term as well: the term could be paid and never delivered.
import { orders } from '#modules/sales/orders/queries.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'

/**
 * 409 while an accepted quote extends what the order sold: asked before a subscription begins, or goes on after all.
 */
export async function assertNotExtended(ctx: OrganizationContext, orderId: number): Promise<void> {
  const extending = await first(ctx, orders.extending(ctx.organizationId, orderId))
  if (!extending) return
  const extendsIt = `The order ${extending.number} extends what this one sold`
  const message = `${extendsIt}, and is not delivered yet: cancel one of the two`
  throw conflict('status_not_allowed', message)
}
