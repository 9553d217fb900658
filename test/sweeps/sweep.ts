// Shared by the sweeps over all routes: the routes, and requests that change nothing, whoever sends them.
import { routes } from '../../src/modules.ts'
import { pathNamesOrganization, type Scope } from '#kernel/values/permissions.ts'
import type { Route } from '#http/route.ts'
import type { Answer, Headers, Speaker } from '#test/harness/world.ts'

export const key = ({ method, path }: Route) => `${method} ${path}`
export const isOpen = ({ access }: Route) => access.kind === 'open' || access.kind === 'signed'
export const isInOrganization = ({ access }: Route) => access.kind === 'organization' || access.kind === 'staff'
export const guarded = routes.filter((route) => !isOpen(route))

export const scopesOf = ({ access }: Route): readonly Scope[] => (access.kind === 'organization' ? access.scopes : [])

/** Of parameters that are no ids. */
const VALUES: Readonly<Record<string, string>> = {
  company: 'entity_br',
  code: 'PLG-1999010001',
  price_index: 'NONE',
  month: '1999-01',
  kind: 'refunds',
}

/** Ids that do not exist, so that no admitted request changes anything. */
export const pathOf = (route: Route): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? '999999999')

/** A path with an organization gets that of the header, or the refusal would be about the header. */
const agreeing = ({ path }: Route, given: string, organization: string | undefined): string =>
  pathNamesOrganization(path) && /^[1-9]\d*$/.test(organization ?? '')
    ? given.replace(/^\/organizations\/999999999(?!\d)/, `/organizations/${organization}`)
    : given

/** A request with an unknown query parameter, which is answered with 422 when the caller is admitted. */
export function askWrongly(speaker: Speaker, route: Route, headers: Headers = {}): Promise<Answer> {
  const path = `${pathOf(route)}?no_such_parameter=1`
  return send(speaker, route, path, route.method === 'GET' || route.method === 'DELETE' ? undefined : {}, headers)
}

export function send(speaker: Speaker, route: Route, given: string, body: unknown, headers: Headers): Promise<Answer> {
  const path = agreeing(route, given, { ...speaker.headers, ...headers }['x-service-organization'])
  if (route.method === 'GET') return speaker.get(path, headers)
  if (route.method === 'DELETE') return speaker.delete(path, headers)
  const verb = route.method === 'POST' ? speaker.post : route.method === 'PUT' ? speaker.put : speaker.patch
  return verb(path, body, headers)
}
