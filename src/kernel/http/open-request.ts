// A request of a route without credentials.
import { sql } from '#kernel/data/sql.ts'
import { SYSTEM_CALLER, committed, systemContext } from '#kernel/data/transactions.ts'
import { success } from './envelope.ts'
import { AppError } from './errors.ts'
import { readInput } from './input.ts'
import { shaped, statementsOf } from './planned-read.ts'
import { type Answer, ANONYMOUS, ioContext, originOf, type RequestContext } from './request-context.ts'
import type { Result as RouteResult } from './route.ts'

/** Routes without credentials: the entry points of `/auth`, invite checks, webhooks. */
export async function answerOpen(context: RequestContext): Promise<Answer> {
  const { engine, route, request } = context
  const input = readInput(context)
  const given: unknown = input instanceof AppError ? {} : input.body
  await request.limit((given ?? {}) as Record<string, unknown>)
  if (input instanceof AppError) throw input
  const anonymous = { userId: null, organizationId: null }
  if (route.read) {
    const { now } = context
    const nobody = { org: 0, userId: 0, sessionId: 0, organizations: null }
    const asked = { ...nobody, company: null, now, realNow: now, ports: engine.ports }
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
