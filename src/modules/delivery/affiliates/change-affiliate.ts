// PATCH /affiliates/{id}: the rate for later payments, and the status of the account.
import { move, update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { entitlementForChange } from '#modules/delivery/entitlements/arrears.ts'
import { type Affiliate, type AffiliateChange, affiliateMoves, affiliatesTable } from './affiliate.ts'
import { affiliates } from './queries.ts'

export async function changeAffiliate(ctx: OrganizationContext, id: number, body: AffiliateChange): Promise<Affiliate> {
  const { status, ...rest } = ownBody(ctx, body)
  await update(ctx, affiliatesTable, id, rest)
  if (status !== undefined) await changeStatus(ctx, await affiliates.forChange(ctx, id), status)
  return one(ctx, affiliates.view(ctx.organizationId, id))
}

/** One that is suspended with its entitlement becomes staff's own, so that the entitlement does not resume it. */
async function changeStatus(
  ctx: OrganizationContext,
  { id, status: from, entitlement_id }: Affiliate,
  status: Affiliate['status'],
): Promise<void> {
  const own = { suspended_with_entitlement: false }
  if (status === from) return void (await update(ctx, affiliatesTable, id, own))
  const found = Object.values(affiliateMoves).find((act) => act.to === status && allows(act, from))
  if (!found) throw conflict('status_not_allowed', `An affiliate account that is ${from} cannot become ${status}`)
  if (found === affiliateMoves.resume) await assertEntitled(ctx, entitlement_id)
  await move(ctx, affiliatesTable, id, found, own)
}

async function assertEntitled(ctx: OrganizationContext, entitlementId: number): Promise<void> {
  const entitlement = await entitlementForChange(ctx, entitlementId)
  if (entitlement && entitlement.status !== 'active')
    throw conflict(
      'entitlement_not_active',
      `The account follows its entitlement ${entitlement.code}, which is ${entitlement.status}`,
    )
}
