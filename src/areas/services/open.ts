// A service for an SVC entitlement: bought, hence approved.
import { insert } from '#kernel/changes.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { type Service, servicesTable } from './service.ts'

type Sold = { entitlement_id: number; entitlement_code: string; name: string }

export function openService(ctx: OrganizationContext, sold: Sold): Promise<Service> {
  return insert(ctx, servicesTable, {
    name: sold.name,
    status: 'approved',
    lifecycle: 'project',
    entitlement_id: sold.entitlement_id,
    entitlement_code: sold.entitlement_code,
  })
}
