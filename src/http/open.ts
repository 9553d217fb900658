// A request of a route without credentials (the entry points of `/auth`, invite checks, webhooks): its steps, in the
// order of refusals.
import { committed, SYSTEM_CALLER, systemContext } from '#kernel/access/transactions.ts'
import { AppError } from '#kernel/values/errors.ts'
import { sql } from '#kernel/values/sql.ts'
import { success } from './envelope.ts'
import { readInput } from './input.ts'
import { partOf } from './list-answer.ts'
import { ANONYMOUS, ioContext, originOf, readContextOf } from './operation-contexts.ts'
import { shaped, statementsOf } from './read-plan.ts'
import type { Answer, RequestContext } from './request-context.ts'
import type { Input, Result as RouteResult, Route } from './route.ts'

const NOBODY = { userId: null, organizationId: null }

export async function answerOpen(context: RequestContext): Promise<Answer> {
  const { engine, route, request } = context
  const input = readInput(context)
  const given: object = input instanceof AppError ? {} : Object.assign({}, input.params, input.body)
  // 429
  await request.limit(given as Record<string, unknown>)
  // 401 without a right signature
  const isSigned = route.access.kind === 'signed'
  const proven = isSigned ? await provenBy(context) : undefined
  // 404, 406, 422
  if (input instanceof AppError) throw input
  if (route.read) return { ...(await answerRead(context, route.read, input)), ...NOBODY }
  const prepared = isSigned ? proven : await preparedBy(context, input)
  const origin = originOf(context, { caller: ANONYMOUS })
  const outcome = await committed(engine.onEnqueued, (markEnqueued) =>
    engine.database.change('titular_system', [sql`select 1`], async (transaction) => {
      const ctx = systemContext(transaction, origin, markEnqueued)
      return route.run?.(ctx as never, { ...input, rows: [] }, prepared)
    }),
  )
  if (outcome && 'refusal' in outcome) throw outcome.refusal
  const result: RouteResult<unknown> | undefined = outcome
  return {
    status: route.status,
    body: success(result?.data ?? null, result?.message ?? null),
    ...(result?.cookies && { cookies: result.cookies }),
    ...NOBODY,
  }
}

async function answerRead(
  context: RequestContext,
  read: NonNullable<Route['read']>,
  input: Input<never, never, never>,
): Promise<Pick<Answer, 'status' | 'body' | 'file'>> {
  const { engine, route, now } = context
  const plan = read(readContextOf(context), input)
  const results = await engine.database.read('titular_system', statementsOf(plan, engine.keptTotals))
  if (plan.kind === 'page') throw new Error('an open route has no pages of rows')
  const nothing = { caller: SYSTEM_CALLER, scopes: [], organizationId: null, role: 'pending' }
  const callerContext = { ...nothing, now, realNow: now, ports: engine.ports, acceptLanguage: undefined }
  if (plan.kind === 'list') {
    const { rows, meta } = partOf(plan, callerContext)
    return { status: 200, body: success(rows, null, meta) }
  }
  const data = shaped(plan, results, callerContext)
  const { file } = route.features
  if (!file) return { status: 200, body: success(data) }
  return { status: 200, body: success(null), file: await file.make(ioContext(context, null), data) }
}

async function preparedBy(context: RequestContext, input: Input<never, never, never>): Promise<unknown> {
  const { before } = context.route
  return typeof before === 'function' ? before(ioContext(context, null), input) : undefined
}

/**
 * What `before` of a signed route makes of the body, when its signature is right. Nothing else of the request is looked
 * at before: whoever sends none learns nothing of it.
 */
async function provenBy(context: RequestContext): Promise<unknown> {
  const input = readInput({ ...context, request: { ...context.request, query: {} } })
  // No sender has an address that is none, nor a secret for it.
  if (input instanceof AppError) throw new AppError('AUTHENTICATION_ERROR', { cause: input })
  return preparedBy(context, input)
}
