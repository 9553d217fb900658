// A request from its credential to its answer (spec 5.3): which steps it takes is told by its kind (read.ts, change.ts,
// open.ts). An error of one step is answered only when all steps before it have passed.
import { unauthenticated } from '#kernel/access/credentials.ts'
import { AppError } from '#kernel/values/errors.ts'
import { answerBulk } from '#http/features/bulk.ts'
import { answerDryRun, isDryRun } from '#http/features/dry-run.ts'
import { keptAnswer } from '#http/features/kept-answer.ts'
import { answerWhenThere } from '#http/features/long-polls.ts'
import { namingRecord } from '#http/openapi/record-name.ts'
import { accessRequestOf, callerKeyOf } from './access.ts'
import { answerChange } from './change.ts'
import { answerOpen } from './open.ts'
import { ANONYMOUS } from './operation-contexts.ts'
import { answerRead } from './read.ts'
import {
  type Answer,
  type AuthenticatedContext,
  type Engine,
  needsCaller,
  type RequestContext,
  type RouteChecks,
} from './request-context.ts'
import type { Route } from './route.ts'

export function answer(
  engine: Engine,
  route: Route,
  checks: RouteChecks,
  request: RequestContext['request'],
): Promise<Answer> {
  return answered({ engine, route, checks, request, now: engine.clock() }).catch((error: unknown) => {
    throw namingRecord(error, route.path)
  })
}

async function answered(context: RequestContext): Promise<Answer> {
  const { route, request } = context
  if (!needsCaller(route)) return answerOpen(context).catch((error: unknown) => auditRefusal(context, error))
  if (!request.credential) throw unauthenticated()
  const accessRequest = await accessRequestOf(context, request.credential)
  request.logOrganization(accessRequest.organizationId)
  const authenticated: AuthenticatedContext = { ...context, accessRequest }
  return answerTo(authenticated).catch((error: unknown) => auditRefusal(authenticated, error))
}

function answerTo(context: AuthenticatedContext): Promise<Answer> {
  const { read, features } = context.route
  if (features.longPoll) return answerWhenThere(context, features.longPoll, answerRead)
  if (read) return answerRead(context)
  if (features.bulk) return answerBulk(context, answer)
  if (isDryRun(context)) return answerDryRun(context)
  return answerChange(context).catch((error: unknown) => keptAnswer(context, error))
}

/** Writes an audit entry for a 403, and for a webhook with a wrong signature; counts a 404 of a record. */
async function auditRefusal(context: RequestContext & Partial<AuthenticatedContext>, error: unknown): Promise<never> {
  const { engine, route, request, now, accessRequest } = context
  if (!(error instanceof AppError)) throw error
  const refused = {
    organizationId: accessRequest?.organizationId ?? null,
    request: `${route.method} ${route.path}`,
    now,
    ip: request.ip,
  }
  if (error.code === 'AUTHENTICATION_ERROR') request.prove(false)
  if (error.code === 'NOT_FOUND' && accessRequest && Object.keys(request.params).length > 0)
    engine.refusals.countMissing({ ...refused, ...refusedCaller(context, error) })
  const isUnproven = route.access.kind === 'signed' && error.code === 'AUTHENTICATION_ERROR'
  if (error.code === 'AUTHORIZATION_ERROR' || isUnproven) {
    const { requestId } = request
    await engine.refusals.record({ ...refused, ...refusedCaller(context, error), reason: error.message, requestId })
  }
  throw error
}

/** A caller who is no member is logged by the number of the account: the organization may not learn the name. */
function refusedCaller(
  { request, accessRequest, decision }: RequestContext & Partial<AuthenticatedContext>,
  { details }: AppError,
) {
  if (!accessRequest) return { caller: ANONYMOUS, callerKey: request.ip }
  const { credential } = accessRequest
  const { userId, name } = decision?.caller ?? details.refused ?? { userId: null, name: null }
  const kind = credential.kind === 'api_key' ? ('api_key' as const) : ('user' as const)
  return { caller: { kind, userId, name: name ?? `user ${userId}` }, callerKey: callerKeyOf(credential) }
}
