// POST /entitlements: staff create an entitlement by hand; one of the class AFL with its account.
import { openAffiliate, USUAL_CURRENCY } from '#modules/delivery/affiliates/open-affiliate.ts'
import { insert } from '#kernel/data/changes.ts'
import { allocateCode } from '#kernel/data/codes.ts'
import { assertProduct, givenWith } from '#modules/delivery/products/offers.ts'
import { first, type OrganizationContext, type IoContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { sql } from '#kernel/values/sql.ts'
import { type Entitlement, type EntitlementClass, entitlementsTable, type NewEntitlement } from './entitlement.ts'

export const allocateEntitlementCode = (io: IoContext, entitlementClass: EntitlementClass): Promise<string> =>
  allocateCode(io, entitlementClass)

export async function createEntitlement(
  ctx: OrganizationContext,
  body: NewEntitlement,
  code: string,
): Promise<Entitlement> {
  const values = ownBody(ctx, body)
  if (values.quote_id !== undefined && values.quote_id !== null) {
    const quote = await first(
      ctx,
      sql`select id from quotes where organization_id = ${ctx.organizationId} and id = ${values.quote_id}`,
    )
    if (!quote) throw invalid({ quote_id: 'names no quote of this organization' })
  }
  await assertProduct(ctx, values.product_id)
  const features = values.features ?? (await givenWith(ctx, values.product_id)).features
  const entitlement = await insert(ctx, entitlementsTable, { ...values, features, code })
  const { id: entitlement_id, company } = entitlement
  if (entitlement.class === 'AFL')
    await openAffiliate(ctx, { entitlement_id, entitlement_code: code, company, currency: USUAL_CURRENCY[company] })
  return entitlement
}
