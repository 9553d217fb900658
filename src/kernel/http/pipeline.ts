// One request, one pass (spec 5.3): credential, door, validation, work, commit. Each step refuses only in its turn.
import { answerChange, changeInside } from './change-request.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { refused } from '#kernel/access/credentials.ts'
import { type AccessRequest, accessStatement } from '#kernel/access/access-check.ts'
import { pageMeta, success } from './envelope.ts'
import { AppError, notFound } from './errors.ts'
import { companyFrom, companyOrNull, readInput } from './input.ts'
import { namedOrganization } from '#kernel/access/named-organization.ts'
import {
  admit,
  type Engine,
  type PipelineRequest,
  type Answer,
  type RouteChecks,
  type RequestContext,
  roleOf,
  originOf,
  STRANGER,
  oneHeader,
  outside,
  recordVisit,
} from './request-context.ts'
import { namingRecord } from './record-name.ts'
import type { ReadPlan, CallerContext, Result as RouteResult, Route } from './route.ts'
import { type Statement, sql } from '#kernel/data/sql.ts'
import { SYSTEM_CALLER, committed, systemContext } from '#kernel/data/transactions.ts'

export function answer(engine: Engine, route: Route, checks: RouteChecks, request: PipelineRequest): Promise<Answer> {
  return answered({ engine, route, checks, request, now: engine.clock() }).catch((error: unknown) => {
    throw namingRecord(error, route.path)
  })
}

async function answered(pass: RequestContext): Promise<Answer> {
  const { route, request } = pass
  if (route.access.kind === 'open' || route.access.kind === 'signed')
    return answerOpen(pass).catch((error: unknown) => refusedTo(pass, null, error))
  if (!request.credential) throw refused()
  const isInOrganization = route.access.kind === 'organization' || route.access.kind === 'staff'
  if (!isInOrganization && request.credential.kind === 'api_key') throw refused()
  const door: AccessRequest = {
    credential: request.credential,
    access: route.access,
    ...(isInOrganization ? await namedOrganization(pass, request.credential) : { organizationId: null }),
    writes: route.method !== 'GET',
    now: pass.now,
  }
  request.concerns(door.organizationId)
  return (route.read ? answerRead(pass, door) : answerChange(pass, door)).catch((error: unknown) =>
    refusedTo(pass, door, error),
  )
}

/** What is not permitted, and a webhook that proves nothing, leave an entry in the audit log. */
async function refusedTo(pass: RequestContext, door: AccessRequest | null, error: unknown): Promise<never> {
  const { engine, route, request, now } = pass
  const isUnproven = (code: string) => route.access.kind === 'signed' && code === 'AUTHENTICATION_ERROR'
  if (error instanceof AppError && (error.code === 'AUTHORIZATION_ERROR' || isUnproven(error.code)))
    await engine.refusals.note({
      organizationId: door?.organizationId ?? null,
      ...refusedCaller(pass, door, error),
      request: `${route.method} ${route.path}`,
      reason: error.message,
      now,
      requestId: request.requestId,
      ip: request.ip,
    })
  throw error
}

/** A stranger's name is nothing to the organization; the number of the account is what the vendor can follow. */
function refusedCaller({ request, visitor }: RequestContext, door: AccessRequest | null, { details }: AppError) {
  if (!door) return { caller: STRANGER, who: request.ip }
  const { credential } = door
  const { userId, name } = visitor?.caller ?? details.refused ?? { userId: null, name: null }
  const kind = credential.kind === 'api_key' ? ('api_key' as const) : ('user' as const)
  const who = credential.kind === 'api_key' ? credential.consumerKey : `user ${credential.userId}`
  return { caller: { kind, userId, name: name ?? `user ${userId}` }, who }
}

async function answerRead(pass: RequestContext, door: AccessRequest): Promise<Answer> {
  const { engine, route, request, now } = pass
  const input = readInput(pass)
  const isValid = !(input instanceof AppError) && (door.organizationId !== null || roleOf(door) === 'titular_system')
  const userId = door.credential.kind === 'api_key' ? 0 : door.credential.userId
  const company = isValid ? companyOrNull(request.companyHeader) : null
  const plan = isValid ? route.read?.({ org: door.organizationId ?? 0, userId, company, now }, input) : undefined
  const [[accessRow] = [], ...results] = await engine.database.read(roleOf(door), [
    accessStatement(door),
    ...(plan ? statementsOf(plan) : []),
  ])
  const reader = admit(pass, accessRow, door)
  await recordVisit(pass, door, reader)
  const { caller, organizationId } = reader
  if (input instanceof AppError) throw input
  companyFrom(request.companyHeader)
  if (!plan) throw notFound()
  const known = { userId: caller.userId, organizationId }
  if (plan.kind === 'page') {
    const [rows = [], [counted] = [], parent] = results
    if (parent?.length === 0) throw notFound()
    const meta = pageMeta(plan.page, (counted as { total: number }).total)
    return { status: 200, body: success(rows, null, meta), ...known }
  }
  const asker = { ...reader, now, ports: engine.ports, acceptLanguage: oneHeader(request.headers['accept-language']) }
  const data = shaped(plan, results, asker)
  if (route.file) {
    const file = await route.file.make(outside(pass, reader, door), data)
    return { status: 200, body: success(null), file, ...known }
  }
  if (!route.afterRead?.when(data, asker)) return { status: 200, body: success(data), ...known }
  const { afterRead } = route
  const changed = await changeInside(pass, door, (ctx) => afterRead.run(ctx as OrganizationContext, data))
  return { status: 200, body: success(changed), ...known }
}

const statementsOf = (plan: ReadPlan<unknown>): Statement[] =>
  plan.kind === 'page'
    ? [plan.rows, plan.total, ...(plan.parent ? [plan.parent] : [])]
    : plan.kind === 'row'
      ? [plan.row]
      : plan.statements

function shaped(
  plan: Exclude<ReadPlan<unknown>, { kind: 'page' }>,
  results: unknown[][],
  reader: CallerContext,
): unknown {
  const data = plan.kind === 'row' ? results[0]?.[0] : plan.shape(results, reader)
  if (data === undefined) throw notFound()
  return data
}

/** No door: the entry points of `/auth`, invite checks, webhooks. */
async function answerOpen(pass: RequestContext): Promise<Answer> {
  const { engine, route, request } = pass
  const input = readInput(pass)
  const given: unknown = input instanceof AppError ? {} : input.body
  await request.limit((given ?? {}) as Record<string, unknown>)
  if (input instanceof AppError) throw input
  const nobody = { userId: null, organizationId: null }
  if (route.read) {
    const plan = route.read({ org: 0, userId: 0, company: null, now: pass.now }, input)
    const results = await engine.database.read('titular_system', statementsOf(plan))
    if (plan.kind === 'page') throw new Error('an open route has no pages')
    const nothing = { caller: SYSTEM_CALLER, scopes: [], organizationId: null, role: 'pending' }
    const reader = { ...nothing, now: pass.now, ports: engine.ports, acceptLanguage: undefined }
    return { status: 200, body: success(shaped(plan, results, reader)), ...nobody }
  }
  const seen = await route.before?.(outside(pass, null, null), input)
  const outcome = await committed(engine.onEnqueued, (mark) =>
    engine.database.change('titular_system', [sql`select 1`], async (transaction) =>
      route.run?.(systemContext(transaction, originOf(pass, { caller: STRANGER }), mark) as never, input, seen),
    ),
  )
  if (outcome && 'refusal' in outcome) throw outcome.refusal
  const result: RouteResult<unknown> | undefined = outcome
  return {
    status: route.status,
    body: success(result?.data ?? null, result?.message ?? null),
    ...(result?.cookies && { cookies: result.cookies }),
    ...nobody,
  }
}
