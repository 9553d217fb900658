// An environment for an ENV entitlement: named as the product, waiting to be provisioned.
import { insert } from '#kernel/changes.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { type Environment, environmentsTable } from './environment.ts'

type Sold = { entitlement_id: number; entitlement_code: string; name: string }

export function provisionEnvironment(ctx: OrganizationContext, sold: Sold): Promise<Environment> {
  return insert(ctx, environmentsTable, {
    name: sold.name,
    status: 'provisioning',
    platform: 'custom',
    environment_type: 'production',
    entitlement_id: sold.entitlement_id,
    entitlement_code: sold.entitlement_code,
  })
}
