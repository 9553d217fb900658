// Creates the environment of a bought ENV entitlement, named after the product, to be provisioned.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { openEnvironment } from './create-environment.ts'
import type { EnvironmentRow } from './environment.ts'

type SoldEntitlement = { entitlement_id: number; entitlement_code: string; name: string }

export const BOUGHT = { status: 'provisioning', platform: 'custom', environment_type: 'production' } as const

export const provisionEnvironment = (
  ctx: OrganizationContext,
  { name, entitlement_id, entitlement_code }: SoldEntitlement,
): Promise<EnvironmentRow> =>
  openEnvironment(ctx, {
    name,
    entitlement_id,
    entitlement_code,
    ...BOUGHT,
  })
