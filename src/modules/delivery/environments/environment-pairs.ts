// Pairs: staging, development and sandbox environments belong to a production environment of the same organization.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import type { EnvironmentRow } from './environment.ts'
import { environments } from './queries.ts'

type Pairing = Pick<EnvironmentRow, 'environment_type' | 'production_id'> & { id?: number }

/** `isNew`: `production_id` is being set, so the production environment must exist and be usable. */
export async function assertPair(
  ctx: OrganizationContext,
  { id, environment_type, production_id }: Pairing,
  isNew = true,
): Promise<void> {
  if (id !== undefined && environment_type !== 'production' && (await environments.hasPairs(ctx, id)))
    throw conflict(
      'environment_paired',
      'Other environments are paired with this one, so it stays a production environment',
    )
  if (production_id === null) return
  if (environment_type === 'production') throw invalid({ production_id: 'must be null for a production environment' })
  if (!isNew) return
  const production = await environments.find(ctx, production_id)
  if (!production || production.id === id)
    throw invalid({ production_id: 'names no other environment of this organization' })
  if (production.environment_type !== 'production')
    throw invalid({ production_id: 'must name a production environment' })
  if (production.status === 'decommissioned')
    throw invalid({ production_id: 'names an environment that has been decommissioned' })
}
