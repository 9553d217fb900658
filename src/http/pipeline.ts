// The steps of a request (spec 5.3): credential, access check, validation, operation, commit. An error of one step is
// answered only when all steps before it have passed.
import { answerChange, runChange } from './change-request.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type Credential, unauthenticated } from '#kernel/access/credentials.ts'
import { isInOrganization } from '#kernel/values/permissions.ts'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'
import { answerBulk } from '#http/features/bulk.ts'
import { answerDryRun, isDryRun } from '#http/features/dry-run.ts'
import { success } from './envelope.ts'
import { expandedData } from '#http/features/expand.ts'
import { AppError, notFound } from '#kernel/values/errors.ts'
import { companyFrom, readInput } from './input.ts'
import { keptAnswer } from '#http/features/kept-answer.ts'
import { keyReach } from './key-reach.ts'
import { namedOrganization } from './named-organization.ts'
import { plainAddress } from '#kernel/network/addresses.ts'
import {
  type Engine,
  type PipelineRequest,
  type Answer,
  type RequestContext,
  type AuthenticatedContext,
  callerContextOf,
  ANONYMOUS,
  ioContext,
  auditStaffAccess,
} from './request-context.ts'
import { assertMatches } from '#http/features/precondition.ts'
import { assertReadable, reasoned } from '#http/features/reason-header.ts'
import type { RouteChecks } from './route-checks.ts'
import { authenticatedSince, needsPerson, steppedUp } from '#http/features/step-up.ts'
import { answerOpen } from './open-request.ts'
import { readPlanned, shaped } from './planned-read.ts'
import { listAnswer, partOf } from '#http/features/list-answer.ts'
import { namingRecord } from '#http/openapi/record-name.ts'
import type { AskedList } from '#kernel/data/lists/cursor.ts'
import type { CountedTotal } from '#kernel/data/lists/kept-totals.ts'
import type { Input, Route } from './route.ts'

export function answer(engine: Engine, route: Route, checks: RouteChecks, request: PipelineRequest): Promise<Answer> {
  return answered({ engine, route, checks, request, now: engine.clock() }).catch((error: unknown) => {
    throw namingRecord(error, route.path)
  })
}

async function answered(context: RequestContext): Promise<Answer> {
  const { engine, route, request, now } = context
  if (route.access.kind === 'open' || route.access.kind === 'signed')
    return answerOpen(context).catch((error: unknown) => auditRefusal(context, error))
  if (!request.credential) throw unauthenticated()
  const { credential } = request
  const isInside = isInOrganization(route.access)
  if (credential.kind === 'api_key' && !isInside && !(credential.of === 'vendor' && route.access.kind === 'vendor'))
    throw unauthenticated(NOT_FOR_KEYS)
  const accessRequest: AccessRequest = {
    credential,
    access: route.access,
    ...(isInside ? await namedOrganization(context, credential) : { organizationId: null }),
    writes: route.method !== 'GET',
    needsEntry: engine.ports.settings.staffEntry === 'reason',
    staffMfa: engine.ports.settings.staffMfa === 'required',
    authenticatedSince: authenticatedSince(route, engine.ports.settings.stepUpMinutes, now),
    needsPerson: needsPerson(route),
    ip: null,
    ...(credential.kind === 'api_key' && { ip: plainAddress(request.ip) }),
    ...(await reachOf(context, credential, now)),
    now,
  }
  request.logOrganization(accessRequest.organizationId)
  const authenticated: AuthenticatedContext = { ...context, accessRequest }
  return answerTo(authenticated).catch((error: unknown) => auditRefusal(authenticated, error))
}

/** Before each read of a request that waits: the key may be limited meanwhile. */
async function reachOf({ engine, route, request }: RequestContext, credential: Credential, now: Date) {
  if (credential.kind !== 'api_key') return {}
  return { reach: await keyReach(credential, { database: engine.database, route, params: request.params, now }) }
}

const NOT_FOR_KEYS = 'No API key may do this: sign in as a person, or use a key inside an organization'

function answerTo(context: AuthenticatedContext): Promise<Answer> {
  if (context.route.read) return answerWhenThere(context)
  if (context.route.bulk) return answerBulk(context, answer)
  if (isDryRun(context)) return answerDryRun(context)
  return answerChange(context).catch((error: unknown) => keptAnswer(context, error))
}

/** Writes an audit entry for a 403, and for a webhook with a wrong signature; counts a 404 of a record. */
async function auditRefusal(context: RequestContext & Partial<AuthenticatedContext>, error: unknown): Promise<never> {
  const { engine, route, request, now, accessRequest } = context
  const isUnproven = (code: string) => route.access.kind === 'signed' && code === 'AUTHENTICATION_ERROR'
  if (
    error instanceof AppError &&
    error.code === 'NOT_FOUND' &&
    accessRequest &&
    Object.keys(request.params).length > 0
  )
    engine.refusals.countMissing({
      organizationId: accessRequest.organizationId,
      ...refusedCaller(context, error),
      request: `${route.method} ${route.path}`,
      now,
      ip: request.ip,
    })
  if (error instanceof AppError && (error.code === 'AUTHORIZATION_ERROR' || isUnproven(error.code)))
    await engine.refusals.record({
      organizationId: accessRequest?.organizationId ?? null,
      ...refusedCaller(context, error),
      request: `${route.method} ${route.path}`,
      reason: error.message,
      now,
      requestId: request.requestId,
      ip: request.ip,
    })
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

const callerKeyOf = (credential: AccessRequest['credential']): string =>
  credential.kind === 'api_key' ? credential.consumerKey : `user ${credential.userId}`

/** Reads again whenever there are new events, until the answer says something or the time is up. */
async function answerWhenThere(context: AuthenticatedContext): Promise<Answer> {
  const { engine, route, request, accessRequest } = context
  const { longPoll } = route
  let latest = await answerRead(context)
  const seconds = Number(request.query['wait'] ?? 0)
  if (!longPoll || seconds === 0) return latest
  const { credential, organizationId } = accessRequest
  const poll = engine.longPolls.enter({
    organizationId,
    callerKey: callerKeyOf(credential),
    seconds,
    gone: request.gone(),
  })
  try {
    for (;;) {
      const after = longPoll.nextOf(latest.body.data)
      if (after === null || !(await poll?.hasMore(after))) return latest
      const now = engine.clock()
      const query = { ...request.query, after: String(after) }
      latest = await answerRead({
        ...context,
        now,
        accessRequest: { ...context.accessRequest, now, ...(await reachOf(context, credential, now)) },
        request: { ...request, query },
        isRepeated: true,
      })
    }
  } finally {
    poll?.leave()
  }
}

async function answerRead(context: AuthenticatedContext): Promise<Answer> {
  const plain = await answerPlain(context)
  const { decision, checks, request } = context
  if (request.query['expand'] === undefined || !checks.expansion || !decision) return plain
  const data = await expandedData({ context, decision }, checks.expansion, plain.body.data)
  return { ...plain, body: { ...plain.body, data } }
}

async function answerPlain(context: AuthenticatedContext): Promise<Answer> {
  const { engine, route } = context
  const input = readInput(context)
  const { plan, decision, results } = await readPlanned(context, input)
  if (!context.isRepeated) await auditStaffAccess(context, decision)
  if (input instanceof AppError) throw input
  companyFrom(context.request.companyHeader)
  assertReadable(context.request.headers['x-reason'])
  if (!plan) throw notFound()
  const logged = { userId: decision.caller.userId, organizationId: decision.organizationId }
  if (plan.kind === 'page') {
    const [rows = [], [counted] = [], parent] = results
    if (parent?.length === 0) throw notFound()
    engine.keptTotals.keep(plan, counted as CountedTotal)
    const { organizationId } = decision
    const asked: AskedList = { path: route.path, organizationId, params: input.params, query: input.query }
    const listed = listAnswer(
      plan,
      { rows, total: (counted as CountedTotal).total },
      { secretKey: engine.ports.secretKey, asked },
    )
    const { each } = plan
    const shown = each ? listed.rows.map((row) => each(row as never, callerContextOf(context, decision))) : listed.rows
    return { status: 200, body: success(shown, null, listed.meta), ...logged }
  }
  const callerContext = callerContextOf(context, decision)
  if (plan.kind === 'list') {
    const listed = partOf(plan, callerContext)
    return { status: 200, body: success(listed.rows, null, listed.meta), ...logged }
  }
  const data = shaped(plan, results, callerContext)
  if (route.method !== 'GET') await assertApproved(context, decision, input)
  if (route.file) {
    const file = await route.file.make(ioContext(context, decision), data)
    return { status: 200, body: success(null), file, ...logged }
  }
  if (!route.afterRead?.when(data, callerContext)) return { status: 200, body: success(data), ...logged }
  const { afterRead } = route
  const changed = await runChange(context, (ctx) => afterRead.run(ctx as OrganizationContext, data))
  return { status: 200, body: success(changed), ...logged }
}

/** A POST that only reads (a preview, a link) asks for the same proof, reason and `If-Match` as a change. */
async function assertApproved(
  context: AuthenticatedContext,
  decision: AccessDecision,
  input: Input<never, never, never>,
): Promise<void> {
  if (context.route.stepUp) reasoned(context, decision, steppedUp(context, decision, input))
  await assertMatches(context, { ask: ioContext(context, decision).read }, decision)
}
