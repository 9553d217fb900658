// Sends the statements of a read together with the access check.
import type { KeptTotals } from '#kernel/data/lists/kept-totals.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { AppError, notFound } from '#kernel/values/errors.ts'
import { companyOrNull, type readInput } from './input.ts'
import { type AuthenticatedContext, roleOf, withAccess } from './request-context.ts'
import type { CallerContext, ReadContext, ReadPlan } from './route.ts'
import { readWithAccess } from '#http/features/stale-read.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'

/**
 * One round trip: the access check, and the statements of the route when the input is valid. In an organization with a
 * test clock a second one, since the statements depend on the time, which the access check has told; with a replica,
 * one to each.
 */
export async function readPlanned(
  context: AuthenticatedContext,
  input: ReturnType<typeof readInput>,
  at = context.now,
) {
  const { engine, route, request, accessRequest } = context
  const role = roleOf(accessRequest)
  const isValid = !(input instanceof AppError) && (accessRequest.organizationId !== null || role === 'titular_system')
  const company = isValid ? companyOrNull(request.companyHeader) : null
  const asked = {
    org: accessRequest.organizationId ?? 0,
    ...personOf(accessRequest),
    company,
    now: at,
    realNow: context.now,
    ports: engine.ports,
  }
  const plan = isValid ? route.read?.(asked, input) : undefined
  const statements = plan ? statementsOf(plan, engine.keptTotals) : []
  const { decision, results } = await withAccess(context, (access) =>
    readWithAccess({ engine, route, role }, access, statements),
  )
  const { testClock } = decision
  if (testClock && at === context.now) return readPlanned(context, input, testClock)
  return { plan, decision, results }
}

/** Who signed in, or what a key is limited to, by what the request says before the access check. */
export function personOf({
  credential,
  reach,
}: AccessRequest): Pick<ReadContext, 'userId' | 'sessionId' | 'organizations'> {
  if (credential.kind === 'api_key') return { userId: 0, sessionId: 0, organizations: reach?.organizations ?? null }
  const { userId, sessionId } = credential
  return { userId, sessionId, organizations: null }
}

export const statementsOf = (plan: ReadPlan<unknown>, keptTotals: KeptTotals): Statement[] =>
  plan.kind === 'page'
    ? [...keptTotals.statementsOf(plan), ...(plan.parent ? [plan.parent] : [])]
    : plan.kind === 'row'
      ? [plan.row]
      : plan.kind === 'parts'
        ? plan.statements
        : []

export function shaped(
  plan: Exclude<ReadPlan<unknown>, { kind: 'page' | 'list' }>,
  results: unknown[][],
  callerContext: CallerContext,
): unknown {
  const data = plan.kind === 'row' ? results[0]?.[0] : plan.shape(results, callerContext)
  if (data === undefined) throw notFound()
  return data
}
