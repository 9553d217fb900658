// Checks after every request of every test that staff access is audited: staff who get an answer from an organization
// of which they are no member leave an entry in its audit log, and requests under /admin one in the service's own.
import type { FastifyRequest } from 'fastify'
import '#kernel/http/register-routes.ts'
import type { Route } from '#kernel/http/route.ts'
import type { TestDatabase } from './database.ts'

/** The missing entry after a successful answer, or null. */
export type StaffAccessCheck = (route: Route, request: FastifyRequest) => Promise<string | null>

export function staffAccessCheck(database: TestDatabase): StaffAccessCheck {
  const customers = new Set<number>()
  return async ({ access }, request) => {
    const { userId, organizationId } = request.loggedCaller ?? { userId: null, organizationId: null }
    const isForStaff = access.kind === 'organization' || access.kind === 'staff' || access.kind === 'administrator'
    if (!isForStaff || userId === null || customers.has(userId)) return null
    const [found] = await database.query<{ staff: boolean; member: boolean; entered: boolean; administered: boolean }>(
      `select 'administrator' = any(u.roles) as staff,
              exists (select from collaborators c
                where c.organization_id = $2 and c.user_id = u.id and c.role <> 'pending') as member,
              exists (select from audit_log a where a.organization_id = $2 and a.action = 'staff_entry'
                 and a.actor_id = u.id and a.request_id = $3) as entered,
              exists (select from service_audit a where a.action = 'administration' and a.actor_id = u.id
                 and a.request_id = $3) as administered
         from users u where u.id = $1`,
      [userId, organizationId, request.id],
    )
    if (!found?.staff) {
      customers.add(userId)
      return null
    }
    if (access.kind === 'administrator') return found.administered ? null : 'no entry in the service’s audit log'
    return found.member || found.entered ? null : 'no entry of the staff’s visit in the audit log'
  }
}
