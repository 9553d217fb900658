// Whoever of the vendor's staff gets an answer out of an organization to which they do not belong has left an entry in its
// audit log, and in the service's own for what is asked under /admin: held against every request of every test.
import type { FastifyRequest } from 'fastify'
import { loggedCallers } from '#kernel/http/register-routes.ts'
import type { Route } from '#kernel/http/route.ts'
import type { TestDatabase } from './database.ts'

/** What is missing after a successful answer, or null. */
export type VisitCheck = (route: Route, request: FastifyRequest) => Promise<string | null>

export function visitCheck(database: TestDatabase): VisitCheck {
  const customers = new Set<number>()
  return async ({ access }, request) => {
    const { userId, organizationId } = loggedCallers.get(request) ?? { userId: null, organizationId: null }
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
