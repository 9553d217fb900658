// The Idempotency-Key of a request (docs/interface/general.md, Limits): which requests take one, and what it is bound
// to.
import { type IdempotentRequest, idempotentRequest, readIdempotencyKey } from '#kernel/data/idempotency.ts'
import { isInOrganization } from '#kernel/values/permissions.ts'
import { type AuthenticatedContext, needsCaller } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'

/**
 * Takes an `Idempotency-Key`: a change with credentials. Not what people do to their own account: such bodies have
 * passwords and codes, of which nothing is kept.
 */
export const isRepeatable = (route: Route): boolean =>
  route.method !== 'GET' && needsCaller(route) && (isInOrganization(route.access) || !route.path.startsWith('/auth/'))

export function idempotencyOf(
  { route, request, accessRequest }: AuthenticatedContext,
  digest?: Buffer,
): IdempotentRequest | null {
  if (!isRepeatable(route)) return null
  const key = readIdempotencyKey(request.idempotencyHeader)
  if (key === null) return null
  const { credential, organizationId } = accessRequest
  const caller = credential.kind === 'api_key' ? credential.consumerKey : credential.userId
  const path = Object.values(request.params).join('/')
  const details = [JSON.stringify(request.query), JSON.stringify(request.companyHeader ?? null)]
  return idempotentRequest(
    key,
    { organizationId, scope: [credential.kind, caller, organizationId, route.method, route.path, path, ...details] },
    digest ?? request.body,
  )
}
