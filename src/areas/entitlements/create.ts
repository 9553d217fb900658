// POST /entitlements: staff give an entitlement by hand.
import { insert } from '#kernel/changes.ts'
import { drawCodes } from '#kernel/codes.ts'
import { first, type OrganizationContext, type Outside } from '#kernel/context.ts'
import { invalid } from '#kernel/errors.ts'
import { ownBody } from '#kernel/organization-body.ts'
import { sql } from '#kernel/sql.ts'
import { type Entitlement, entitlementsTable, type NewEntitlement } from './entitlement.ts'

export const drawEntitlementCode = async (outside: Outside, entitlementClass: string): Promise<string> =>
  (await drawCodes(outside, entitlementClass))[0] ?? ''

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
  return insert(ctx, entitlementsTable, { ...values, code })
}
