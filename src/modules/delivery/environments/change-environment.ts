// PATCH /environments/{id}
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { ownBody } from '#http/organization-body.ts'
import { type EnvironmentChange, type EnvironmentRow, environmentsTable } from './environment.ts'
import { assertPair } from './environment-pairs.ts'
import { environments } from './queries.ts'

export async function changeEnvironment(
  ctx: OrganizationContext,
  id: number,
  body: EnvironmentChange,
): Promise<EnvironmentRow> {
  const values = ownBody(ctx, body)
  const environment = await environments.forChange(ctx, id)
  if (values.production_id !== undefined || values.environment_type !== undefined)
    await assertPair(ctx, { ...environment, ...values }, values.production_id !== undefined)
  return update(ctx, environmentsTable, id, values)
}
