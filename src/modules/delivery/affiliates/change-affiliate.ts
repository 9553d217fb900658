// PATCH /affiliates/{id}: the rate for later payments, and the status of the account.
import { move, update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { type Affiliate, type AffiliateChange, affiliateMoves, affiliatesTable } from './affiliate.ts'
import { affiliates } from './queries.ts'

export async function changeAffiliate(ctx: OrganizationContext, id: number, body: AffiliateChange): Promise<Affiliate> {
  const { status, ...rest } = ownBody(ctx, body)
  const affiliate = await update(ctx, affiliatesTable, id, rest)
  if (status !== undefined && status !== affiliate.status) {
    const found = Object.values(affiliateMoves).find((act) => act.to === status && allows(act, affiliate.status))
    if (!found)
      throw conflict('status_not_allowed', `An affiliate account that is ${affiliate.status} cannot become ${status}`)
    await move(ctx, affiliatesTable, id, found, { suspended_with_entitlement: false })
  }
  return one(ctx, affiliates.view(ctx.organizationId, id))
}
