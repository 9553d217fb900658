// A request of a route without credentials.
import { sql } from '#kernel/values/sql.ts'
import { SYSTEM_CALLER, committed, systemContext } from '#kernel/access/transactions.ts'
import { success } from './envelope.ts'
import { AppError } from '#kernel/values/errors.ts'
import { readInput } from './input.ts'
import { partOf } from '#http/features/list-answer.ts'
import { shaped, statementsOf } from './planned-read.ts'
import { type Answer, ANONYMOUS, ioContext, originOf, type RequestContext } from './request-context.ts'
import type { Input, Result as RouteResult, Route } from './route.ts'

const NOBODY = { userId: null, organizationId: null }

/** Routes without credentials: the entry points of `/auth`, invite checks, webhooks. */
export async function answerOpen(context: RequestContext): Promise<Answer> {
  const { engine, route, request } = context
  const input = readInput(context)
  const given: unknown = input instanceof AppError ? {} : input.body
  await request.limit((given ?? {}) as Record<string, unknown>)
  const isSigned = route.access.kind === 'signed'
  const proven = isSigned ? await provenBy(context) : undefined
  if (input instanceof AppError) throw input
  if (route.read) return { ...(await answerRead(context, route.read, input)), ...NOBODY }
  const prepared = isSigned ? proven : await route.before?.(ioContext(context, null), input)
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
    ...NOBODY,
  }
}

async function answerRead(
  context: RequestContext,
  read: NonNullable<Route['read']>,
  input: Input<never, never, never>,
): Promise<Pick<Answer, 'status' | 'body' | 'file'>> {
  const { engine, route, now } = context
  const nobody = { org: 0, userId: 0, sessionId: 0, organizations: null }
  const plan = read({ ...nobody, company: null, now, realNow: now, ports: engine.ports }, input)
  const results = await engine.database.read('titular_system', statementsOf(plan, engine.keptTotals))
  if (plan.kind === 'page') throw new Error('an open route has no pages of rows')
  const nothing = { caller: SYSTEM_CALLER, scopes: [], organizationId: null, role: 'pending' }
  const callerContext = { ...nothing, now, realNow: now, ports: engine.ports, acceptLanguage: undefined }
  if (plan.kind === 'list') {
    const { rows, meta } = partOf(plan, callerContext)
    return { status: 200, body: success(rows, null, meta) }
  }
  const data = shaped(plan, results, callerContext)
  if (!route.file) return { status: 200, body: success(data) }
  return { status: 200, body: success(null), file: await route.file.make(ioContext(context, null), data) }
}

/**
 * What `before` of a signed route makes of the body, when its signature is right. Nothing else of the request is looked
 * at before: whoever sends none learns nothing of it.
 */
async function provenBy(context: RequestContext): Promise<unknown> {
  const { route, request } = context
  const input = readInput({ ...context, request: { ...request, query: {} } })
  // No sender has an address that is none, nor a secret for it.
  if (input instanceof AppError) throw new AppError('AUTHENTICATION_ERROR', { cause: input })
  return route.before?.(ioContext(context, null), input)
}
