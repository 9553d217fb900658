// POST /affiliates: staff open an account, with the AFL entitlement that it belongs to.
import { allocateEntitlementCode } from '#modules/delivery/entitlements/create-entitlement.ts'
import { entitlementsTable } from '#modules/delivery/entitlements/entitlement.ts'
import { insert } from '#kernel/data/changes.ts'
import { type IoContext, one, type OrganizationContext } from '#kernel/data/context.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Affiliate, NewAffiliate } from './affiliate.ts'
import { openAffiliate } from './open-affiliate.ts'
import { affiliates } from './queries.ts'

export const allocateAffiliateCode = (io: IoContext): Promise<string> => allocateEntitlementCode(io, 'AFL')

export async function createAffiliate(ctx: OrganizationContext, body: NewAffiliate, code: string): Promise<Affiliate> {
  const { product_name = 'Affiliate program', company, currency, commission_rate, ...given } = ownBody(ctx, body)
  const entitlement = await insert(ctx, entitlementsTable, { class: 'AFL', code, product_name, company })
  const sold = { entitlement_id: entitlement.id, entitlement_code: code, company, currency, commission_rate, given }
  const { id } = await openAffiliate(ctx, sold)
  return one(ctx, affiliates.view(ctx.organizationId, id))
}
