// The steps of a request (spec 5.3): credential, access check, validation, operation, commit. An error of one step is
// answered only when all steps before it have passed.
import { answerChange, runChange } from './change-request.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { unauthenticated } from '#kernel/access/credentials.ts'
import type { AccessRequest } from '#kernel/access/access-check.ts'
import { answerDryRun, isDryRun } from './dry-run.ts'
import { pageMeta, success } from './envelope.ts'
import { AppError, notFound } from './errors.ts'
import { companyFrom, readInput } from './input.ts'
import { namedOrganization } from '#kernel/access/named-organization.ts'
import {
  type Engine,
  type PipelineRequest,
  type Answer,
  type RouteChecks,
  type RequestContext,
  type AuthenticatedContext,
  originOf,
  ANONYMOUS,
  oneHeader,
  ioContext,
  auditStaffAccess,
} from './request-context.ts'
import { readPlanned, statementsOf } from './planned-read.ts'
import { namingRecord } from './record-name.ts'
import type { Counted } from '#kernel/data/kept-totals.ts'
import type { ReadPlan, CallerContext, Result as RouteResult, Route } from './route.ts'
import { sql } from '#kernel/data/sql.ts'
import { DEFAULT_PER_PAGE } from '#kernel/values/schema.ts'
import { SYSTEM_CALLER, committed, systemContext } from '#kernel/data/transactions.ts'

export function answer(engine: Engine, route: Route, checks: RouteChecks, request: PipelineRequest): Promise<Answer> {
  return answered({ engine, route, checks, request, now: engine.clock() }).catch((error: unknown) => {
    throw namingRecord(error, route.path)
  })
}

async function answered(context: RequestContext): Promise<Answer> {
  const { route, request, now } = context
  if (route.access.kind === 'open' || route.access.kind === 'signed')
    return answerOpen(context).catch((error: unknown) => auditRefusal(context, error))
  if (!request.credential) throw unauthenticated()
  const isInOrganization = route.access.kind === 'organization' || route.access.kind === 'staff'
  if (!isInOrganization && request.credential.kind === 'api_key') throw unauthenticated()
  const accessRequest: AccessRequest = {
    credential: request.credential,
    access: route.access,
    ...(isInOrganization ? await namedOrganization(context, request.credential) : { organizationId: null }),
    writes: route.method !== 'GET',
    now,
  }
  request.logOrganization(accessRequest.organizationId)
  const authenticated: AuthenticatedContext = { ...context, accessRequest }
  return answerTo(authenticated).catch((error: unknown) => auditRefusal(authenticated, error))
}

function answerTo(context: AuthenticatedContext): Promise<Answer> {
  if (context.route.read) return answerWhenThere(context)
  return isDryRun(context) ? answerDryRun(context) : answerChange(context)
}

/** Writes an audit entry for a 403, and for a webhook with a wrong signature. */
async function auditRefusal(context: RequestContext & Partial<AuthenticatedContext>, error: unknown): Promise<never> {
  const { engine, route, request, now, accessRequest } = context
  const isUnproven = (code: string) => route.access.kind === 'signed' && code === 'AUTHENTICATION_ERROR'
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
        accessRequest: { ...context.accessRequest, now },
        request: { ...request, query },
        isRepeated: true,
      })
    }
  } finally {
    poll?.leave()
  }
}

async function answerRead(context: AuthenticatedContext): Promise<Answer> {
  const { engine, route, request, now } = context
  const input = readInput(context)
  const { plan, decision, results } = await readPlanned(context, input)
  if (!context.isRepeated) await auditStaffAccess(context, decision)
  if (input instanceof AppError) throw input
  companyFrom(request.companyHeader)
  if (!plan) throw notFound()
  const logged = { userId: decision.caller.userId, organizationId: decision.organizationId }
  if (plan.kind === 'page') {
    const [rows = [], [counted] = [], parent] = results
    if (parent?.length === 0) throw notFound()
    engine.keptTotals.keep(plan, counted as Counted)
    const meta = pageMeta(plan.page, (counted as Counted).total)
    return { status: 200, body: success(rows, null, meta), ...logged }
  }
  if (plan.kind === 'list') {
    const { page = 1, per_page = DEFAULT_PER_PAGE } = plan.page
    const items = plan.items.slice((page - 1) * per_page, page * per_page)
    return { status: 200, body: success(items, null, pageMeta(plan.page, plan.items.length)), ...logged }
  }
  const acceptLanguage = oneHeader(request.headers['accept-language'])
  const callerContext = {
    ...decision,
    now: decision.testClock ?? now,
    realNow: now,
    ports: engine.ports,
    acceptLanguage,
  }
  const data = shaped(plan, results, callerContext)
  if (route.file) {
    const file = await route.file.make(ioContext(context, decision), data)
    return { status: 200, body: success(null), file, ...logged }
  }
  if (!route.afterRead?.when(data, callerContext)) return { status: 200, body: success(data), ...logged }
  const { afterRead } = route
  const changed = await runChange(context, (ctx) => afterRead.run(ctx as OrganizationContext, data))
  return { status: 200, body: success(changed), ...logged }
}

function shaped(
  plan: Exclude<ReadPlan<unknown>, { kind: 'page' | 'list' }>,
  results: unknown[][],
  callerContext: CallerContext,
): unknown {
  const data = plan.kind === 'row' ? results[0]?.[0] : plan.shape(results, callerContext)
  if (data === undefined) throw notFound()
  return data
}

/** Routes without credentials: the entry points of `/auth`, invite checks, webhooks. */
async function answerOpen(context: RequestContext): Promise<Answer> {
  const { engine, route, request } = context
  const input = readInput(context)
  const given: unknown = input instanceof AppError ? {} : input.body
  await request.limit((given ?? {}) as Record<string, unknown>)
  if (input instanceof AppError) throw input
  const anonymous = { userId: null, organizationId: null }
  if (route.read) {
    const { now } = context
    const asked = { org: 0, userId: 0, company: null, now, realNow: now, ports: engine.ports }
    const plan = route.read(asked, input)
    const results = await engine.database.read('titular_system', statementsOf(plan, engine.keptTotals))
    if (plan.kind === 'page' || plan.kind === 'list') throw new Error('an open route has no pages')
    const nothing = { caller: SYSTEM_CALLER, scopes: [], organizationId: null, role: 'pending' }
    const callerContext = {
      ...nothing,
      now: context.now,
      realNow: context.now,
      ports: engine.ports,
      acceptLanguage: undefined,
    }
    const data = shaped(plan, results, callerContext)
    if (!route.file) return { status: 200, body: success(data), ...anonymous }
    const file = await route.file.make(ioContext(context, null), data)
    return { status: 200, body: success(null), file, ...anonymous }
  }
  const prepared = await route.before?.(ioContext(context, null), input)
  const outcome = await committed(engine.onEnqueued, (markEnqueued) =>
    engine.database.change('titular_system', [sql`select 1`], async (transaction) =>
      route.run?.(
        systemContext(transaction, originOf(context, { caller: ANONYMOUS }), markEnqueued) as never,
        input,
        prepared,
      ),
    ),
  )
  if (outcome && 'refusal' in outcome) throw outcome.refusal
  const result: RouteResult<unknown> | undefined = outcome
  return {
    status: route.status,
    body: success(result?.data ?? null, result?.message ?? null),
    ...(result?.cookies && { cookies: result.cookies }),
    ...anonymous,
  }
}
