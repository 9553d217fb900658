// Opens the affiliate account of an AFL entitlement, under the entitlement's code.
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { affiliatesTable } from './affiliate.ts'

type Sold = { entitlement_id: number; entitlement_code: string; currency: string }

export async function openAffiliate(ctx: OrganizationContext, sold: Sold): Promise<void> {
  await insert(ctx, affiliatesTable, {
    code: sold.entitlement_code,
    status: 'active',
    entitlement_id: sold.entitlement_id,
    currency: sold.currency,
  })
}
