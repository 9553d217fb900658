// Staff bodies may carry `organization_id`; it must be the header's (docs/interface.md, Principles).
import type { OrganizationContext } from './context.ts'
import { invalid } from './errors.ts'

/** The body without `organization_id`; 422 when it names another organization than the header. */
export function ownBody<Body extends { organization_id?: number }>(
  ctx: Pick<OrganizationContext, 'organizationId'>,
  body: Body,
): Omit<Body, 'organization_id'> {
  const { organization_id: named, ...rest } = body
  if (named !== undefined && named !== ctx.organizationId)
    throw invalid({ organization_id: 'must be the organization of X-Service-Organization' })
  return rest
}
