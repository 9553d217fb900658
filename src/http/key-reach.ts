// What a vendor's key for some organizations reaches of the routes that are bound to none (docs/interface/identity.md):
// lists that are limited to its organizations, and paths that name one of them.
import type { Database } from '#kernel/database/database.ts'
import type { Route } from './route.ts'
import { keyOrganizations } from '#kernel/access/callers.ts'
import type { KeyReach } from '#kernel/access/access-request.ts'
import type { KeyCredential } from '#kernel/access/credentials.ts'

type KeyReachQuery = { database: Database; route: Route; params: Record<string, string>; now: Date }

/** Undefined for keys of organizations. */
export async function keyReach(
  credential: KeyCredential,
  { database, route, params, now }: KeyReachQuery,
): Promise<KeyReach | undefined> {
  if (credential.of !== 'vendor' || route.access.kind !== 'vendor') return undefined
  const [[key] = []] = await database.read('titular_system', [keyOrganizations(credential, now)])
  // A key that has ended is for none: it may be prolonged before the access check asks for it again.
  const { organization_ids: organizations } = (key ?? { organization_ids: [] }) as { organization_ids: number[] | null }
  return { organizations, refusal: organizations && refusalOf(organizations, route, params) }
}

function refusalOf(organizations: readonly number[], route: Route, params: Record<string, string>) {
  if (/^\/admin\/organizations\/\{id\}(\/|$)/.test(route.path))
    return organizations.includes(Number(params['id'])) ? null : 'unknown'
  return route.limitsOrganizations ? null : 'every_organization'
}
