// Bodies and paths may name the organization; it must be the header's (docs/interface.md, Principles).
import type { OrganizationContext } from './context.ts'
import { invalid, notFound } from './errors.ts'

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

/** `/organizations/{id}…`: the organization of the path is that of the header, or there is none. */
export function ownPath(ctx: Pick<OrganizationContext, 'organizationId'>, id: number): void {
  if (ctx.organizationId !== id) throw notFound('Organization not found')
}
