// Bodies may name the organization; it must be the organization of the request (docs/interface/general.md,
// Conventions).
import type { OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'

export const ANOTHER_ORGANIZATION = 'must be the organization that the request is in'

/** The body without `organization_id`; 422 when it names another organization. */
export function ownBody<Body extends { organization_id?: number }>(
  ctx: Pick<OrganizationContext, 'organizationId'>,
  body: Body,
): Omit<Body, 'organization_id'> {
  const { organization_id: named, ...rest } = body
  if (named !== undefined && named !== ctx.organizationId) throw invalid({ organization_id: ANOTHER_ORGANIZATION })
  return rest
}
