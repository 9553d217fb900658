// Checks after every request of every test that staff access is audited: staff who get an answer from an organization
// leave an entry in its audit log, also as its members, and requests under /admin one in the service's own.
import type { FastifyRequest } from 'fastify'
import '#http/register-routes.ts'
import type { Route } from '#http/route.ts'
import type { TestDatabase } from './database.ts'

/** The missing entry after a successful answer, or null. */
export type StaffAccessCheck = (route: Route, request: FastifyRequest) => Promise<string | null>

export function staffAccessCheck(database: TestDatabase): StaffAccessCheck {
  const customers = new Set<number>()
  return async ({ access }, request) => {
    const { userId, organizationId } = request.loggedCaller ?? { userId: null, organizationId: null }
    const isForStaff = access.kind === 'organization' || access.kind === 'staff' || access.kind === 'vendor'
    if (!isForStaff || userId === null || customers.has(userId) || isOfKey(request)) return null
    const [found] = await database.query<{ staff: boolean; entered: boolean; administered: boolean }>(
      `select u.roles <> '{customer}'::text[] as staff,
              exists (select 1 from audit_log a where a.organization_id = $2 and a.action = 'staff_entry'
                 and a.actor_id = $1 and a.request_id = $3) as entered,
              exists (select 1 from service_audit a where a.action = 'administration' and a.actor_id = $1
                 and a.request_id = $3) as administered
         from users u where u.id = $1`,
      [userId, organizationId, request.id],
    )
    if (!found?.staff) {
      customers.add(userId)
      return null
    }
    if (access.kind === 'vendor') return found.administered ? null : 'no entry in the service’s audit log'
    return found.entered ? null : 'no entry of the staff’s visit in the audit log'
  }
}

/** A key of an organization acts as a member, whoever made it. */
function isOfKey({ headers, query }: FastifyRequest): boolean {
  const [scheme, encoded = ''] = headers.authorization?.split(' ') ?? []
  if (scheme === 'Basic') return isOfOrganization(Buffer.from(encoded, 'base64').toString())
  if (scheme === 'Bearer') return isOfOrganization(subjectOf(encoded))
  return Object.hasOwn(Object(query), 'consumer_key')
}

const isOfOrganization = (text: string): boolean => text.startsWith('ck_')

const subjectOf = (token: string): string => {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return /"sub":"([^"]*)"/.exec(claims)?.[1] ?? ''
}
