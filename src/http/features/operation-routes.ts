// Which routes a bulk takes as operations, and how the path of one is found among them.
import { isInOrganization } from '#kernel/values/permissions.ts'
import { isRepeatable } from './idempotency-key.ts'
import type { RouteChecks } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'

export const OPERATION_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Creations, changes and removals in an organization: no uploads, nothing whose answer is a secret or that cannot be
 * repeated with a key, no dangerous act, and nothing that asks other systems before it answers, since all operations
 * share the time of one request.
 */
export const isOperation = (route: Route): boolean => isRepeatable(route) && !route.features.secret && isAlone(route)

const isAlone = ({ method, access, before, features: { upload, limit, bulk, stepUp } }: Route): boolean =>
  OPERATION_METHODS.some((one) => one === method) &&
  isInOrganization(access) &&
  !(upload ?? limit ?? bulk) &&
  typeof before !== 'function' &&
  stepUp !== true

export type OperationRoute = { route: Route; checks: RouteChecks; params: Record<string, string> }
/** Null where there is no such operation. */
type OperationRoutes = (method: string, path: string) => OperationRoute | null

export function operationRoutes(routes: readonly Route[], checksOf: (route: Route) => RouteChecks): OperationRoutes {
  const checks = new Map<Route, RouteChecks>()
  // The router prefers what is written to what is a parameter.
  const all = routes
    .filter(({ method }) => method !== 'GET')
    .map((route) => ({ route, segments: route.path.split('/') }))
    .toSorted((one, other) => parametersIn(one.route) - parametersIn(other.route))
  return (method, path) => {
    const given = path.split('/')
    for (const { route, segments } of all) {
      const params = route.method === method ? paramsOf(segments, given) : null
      if (!params) continue
      if (!isOperation(route)) return null
      const known = checks.get(route) ?? checksOf(route)
      checks.set(route, known)
      return { route, checks: known, params }
    }
    return null
  }
}

const parametersIn = ({ path }: Route): number => path.split('{').length

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined && segment !== value) return null
    if (name !== undefined && value === '') return null
    if (name !== undefined) params[name] = decoded(value)
  }
  return params
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
