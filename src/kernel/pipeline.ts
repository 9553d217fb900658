// One request, one pass (spec 5.3): credential, door, validation, work, commit. Each step refuses only in its turn.
import { answerChange, changeInside } from './change-request.ts'
import type { OrganizationContext } from './context.ts'
import { refused } from './credentials.ts'
import { type DoorRequest, doorStatement, entered } from './door.ts'
import { pageMeta, success } from './envelope.ts'
import { AppError, notFound } from './errors.ts'
import { companyFrom, companyOrNull, readInput } from './input.ts'
import { namedOrganization } from './named-organization.ts'
import {
  type Engine,
  type PipelineRequest,
  type Answer,
  type RouteChecks,
  type Pass,
  roleOf,
  originOf,
  STRANGER,
  oneHeader,
  outside,
  recordVisit,
} from './pass.ts'
import { namingRecord } from './record-name.ts'
import type { ReadPlan, Reader, Result as RouteResult, Route } from './route.ts'
import { type Statement, sql } from './sql.ts'
import { SYSTEM_CALLER, committed, systemContext } from './work.ts'

export function answer(engine: Engine, route: Route, checks: RouteChecks, request: PipelineRequest): Promise<Answer> {
  return answered({ engine, route, checks, request, now: engine.clock() }).catch((error: unknown) => {
    throw namingRecord(error, route.path)
  })
}

async function answered(pass: Pass): Promise<Answer> {
  const { route, request } = pass
  if (route.access.kind === 'open' || route.access.kind === 'signed') return answerOpen(pass)
  if (!request.credential) throw refused()
  const isInOrganization = route.access.kind === 'organization' || route.access.kind === 'staff'
  if (!isInOrganization && request.credential.kind === 'api_key') throw refused()
  const door: DoorRequest = {
    credential: request.credential,
    access: route.access,
    ...(isInOrganization ? await namedOrganization(pass, request.credential) : { organizationId: null }),
    writes: route.method !== 'GET',
    now: pass.now,
  }
  return route.read ? answerRead(pass, door) : answerChange(pass, door)
}

async function answerRead(pass: Pass, door: DoorRequest): Promise<Answer> {
  const { engine, route, request, now } = pass
  const input = readInput(pass)
  const isValid = !(input instanceof AppError) && (door.organizationId !== null || roleOf(door) === 'titular_system')
  const userId = door.credential.kind === 'api_key' ? 0 : door.credential.userId
  const company = isValid ? companyOrNull(request.companyHeader) : null
  const plan = isValid ? route.read?.({ org: door.organizationId ?? 0, userId, company, now }, input) : undefined
  const [[doorRow] = [], ...results] = await engine.database.read(roleOf(door), [
    doorStatement(door),
    ...(plan ? statementsOf(plan) : []),
  ])
  const reader = entered(doorRow, door)
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

function shaped(plan: Exclude<ReadPlan<unknown>, { kind: 'page' }>, results: unknown[][], reader: Reader): unknown {
  const data = plan.kind === 'row' ? results[0]?.[0] : plan.shape(results, reader)
  if (data === undefined) throw notFound()
  return data
}

/** No door: the entry points of `/auth`, invite checks, webhooks. */
async function answerOpen(pass: Pass): Promise<Answer> {
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
    ...(result?.cookie && { cookie: result.cookie }),
    ...nobody,
  }
}
