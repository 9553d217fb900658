// Sends the statements of a read together with the access check.
import type { KeptTotals } from '#kernel/data/kept-totals.ts'
import type { Statement } from '#kernel/data/sql.ts'
import { AppError } from './errors.ts'
import { companyOrNull, type readInput } from './input.ts'
import { type AuthenticatedContext, roleOf, withAccess } from './request-context.ts'
import type { ReadPlan } from './route.ts'

/**
 * One round trip: the access check, and the statements of the route when the input is valid. In an organization with a
 * test clock a second one, since the statements depend on the time, which the access check has told.
 */
export async function readPlanned(
  context: AuthenticatedContext,
  input: ReturnType<typeof readInput>,
  at = context.now,
) {
  const { engine, route, request, accessRequest } = context
  const role = roleOf(accessRequest)
  const isValid = !(input instanceof AppError) && (accessRequest.organizationId !== null || role === 'titular_system')
  const userId = accessRequest.credential.kind === 'api_key' ? 0 : accessRequest.credential.userId
  const company = isValid ? companyOrNull(request.companyHeader) : null
  const asked = {
    org: accessRequest.organizationId ?? 0,
    userId,
    company,
    now: at,
    realNow: context.now,
    ports: engine.ports,
  }
  const plan = isValid ? route.read?.(asked, input) : undefined
  const statements = plan ? statementsOf(plan, engine.keptTotals) : []
  const { decision, results } = await withAccess(context, (access) =>
    engine.database.read(role, [access, ...statements]),
  )
  const { testClock } = decision
  if (testClock && at === context.now) return readPlanned(context, input, testClock)
  return { plan, decision, results }
}

export const statementsOf = (plan: ReadPlan<unknown>, keptTotals: KeptTotals): Statement[] =>
  plan.kind === 'page'
    ? [...keptTotals.statementsOf(plan), ...(plan.parent ? [plan.parent] : [])]
    : plan.kind === 'row'
      ? [plan.row]
      : plan.kind === 'parts'
        ? plan.statements
        : []
