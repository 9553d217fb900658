// The demo's commerce platform: the first order with its copy in a shop, where staff closed it again. Only where no
// shop is configured, whose jobs would not find the copy there.
import { commerceOrders } from '#modules/integrations/commerce/queries.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'

const PROBLEM = 'In the shop it is on-hold. An order that is completed cannot become on-hold'

export async function demoCommerce(ctx: OrganizationContext): Promise<void> {
  const { organizationId, now } = ctx
  const { id, company } = await one(
    ctx,
    sql<{ id: number; company: Company }>`
      select id, company from orders where organization_id = ${organizationId} order by id limit 1`,
  )
  const at = { company, platform: 'woocommerce', reference: String(1000 + id), is_imported: false }
  await commerceOrders.remember(ctx, id, at)
  const there = { status: 'on-hold', modifiedAt: now }
  await commerceOrders.note(ctx, id, { there, agreed: 'completed', problem: PROBLEM })
}
