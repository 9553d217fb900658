// An affiliate account for an AFL entitlement; its code is the entitlement's.
import { Type } from 'typebox'
import { insert } from '#kernel/changes.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { Currency, Id, Timestamp } from '#kernel/schema.ts'
import { table } from '#kernel/table.ts'

const Affiliate = Type.Object({
  id: Id,
  organization_id: Id,
  code: Type.String(),
  status: Type.Enum(['active', 'suspended', 'closed']),
  entitlement_id: Id,
  commission_rate: Type.String(),
  currency: Currency,
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const affiliatesTable = table('affiliates', 'affiliate', Affiliate)

type Sold = { entitlement_id: number; entitlement_code: string; currency: string }

export async function openAffiliate(ctx: OrganizationContext, sold: Sold): Promise<void> {
  await insert(ctx, affiliatesTable, {
    code: sold.entitlement_code,
    status: 'active',
    entitlement_id: sold.entitlement_id,
    currency: sold.currency,
  })
}
