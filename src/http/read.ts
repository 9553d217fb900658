// A request that reads: its steps, in the order of refusals.
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { CountedTotal } from '#kernel/data/lists/kept-totals.ts'
import { AppError, notFound } from '#kernel/values/errors.ts'
import { expandedData } from '#http/features/expand.ts'
import { assertMatches } from '#http/features/precondition.ts'
import { assertReadable, reasoned } from '#http/features/reason-header.ts'
import { readWithAccess } from '#http/features/stale-read.ts'
import { steppedUp } from '#http/features/step-up.ts'
import { auditStaffAccess, roleOf, withAccess } from './access.ts'
import { runChange } from './change.ts'
import { type PageMeta, success } from './envelope.ts'
import { companyFrom, readInput } from './input.ts'
import { listAnswer, partOf } from './list-answer.ts'
import { callerContextOf, ioContext, readContextOf } from './operation-contexts.ts'
import { shaped, statementsOf } from './read-plan.ts'
import type { Answer, AuthenticatedContext } from './request-context.ts'
import type { CallerContext, Input, ReadPlan } from './route.ts'

export async function answerRead(context: AuthenticatedContext): Promise<Answer> {
  const { route, checks, request } = context
  // What is wrong with the input is told only to who has access.
  const input = readInput(context)
  // 401, 400, 404 of the organization, 403
  const { plan, decision, results } = await readPlanned(context, input)
  if (!context.isRepeated) await auditStaffAccess(context, decision)
  // 404 of the path, 406, 422
  if (input instanceof AppError) throw input
  // 400
  companyFrom(request.companyHeader)
  assertReadable(request.headers['x-reason'])
  // 403 without a recent proof, of a POST that only reads (a preview, a link) as of a change
  if (route.features.stepUp) reasoned(context, decision, steppedUp(context, decision, input))
  // 404 of the record
  if (!plan) throw notFound()
  const callerContext = callerContextOf(context, decision)
  const { data, meta } = foundBy(plan, results, { context, input, callerContext })
  // 412
  await assertMatches(context, { ask: ioContext(context, decision).read }, decision)
  const answer = { status: 200, userId: decision.caller.userId, organizationId: decision.organizationId }
  const { file, forms, afterRead } = route.features
  const made = await (file ?? forms)?.make(ioContext(context, decision), data, input)
  if (made) return { ...answer, body: success(null), file: made }
  const { expansion } = checks
  const shownOf = async (read: unknown) =>
    request.query['expand'] !== undefined && expansion ? expandedData({ context, decision }, expansion, read) : read
  // What refuses the relations does so before anything is changed.
  const shown = await shownOf(data)
  if (!afterRead?.when(data, callerContext)) return { ...answer, body: success(shown, null, meta) }
  const changed = await runChange(context, (ctx) => afterRead.run(ctx as OrganizationContext, data))
  return { ...answer, body: success(await shownOf(changed), null, meta) }
}

/**
 * One round trip: the access check, and the statements of the route when the input is valid. In an organization with a
 * test clock a second one, since the statements depend on the time, which the access check has told; with a replica,
 * one to each.
 */
async function readPlanned(context: AuthenticatedContext, input: ReturnType<typeof readInput>, at = context.now) {
  const { engine, route, accessRequest } = context
  const role = roleOf(accessRequest)
  const isValid = !(input instanceof AppError) && (accessRequest.organizationId !== null || role === 'titular_system')
  const plan = isValid ? route.read?.(readContextOf(context, at), input) : undefined
  const statements = plan ? statementsOf(plan, engine.keptTotals) : []
  const { decision, results } = await withAccess(context, (access) =>
    readWithAccess({ engine, route, role }, access, statements),
  )
  const { testClock } = decision
  if (testClock && at === context.now) return readPlanned(context, input, testClock)
  return { plan, decision, results }
}

type ReadRequest = { context: AuthenticatedContext; input: Input<never, never, never>; callerContext: CallerContext }

/** The data of the answer; 404 when there is no record. */
function foundBy(
  plan: ReadPlan<unknown>,
  results: unknown[][],
  { context: { engine, route }, input, callerContext }: ReadRequest,
): { data: unknown; meta: PageMeta | null } {
  if (plan.kind === 'list') {
    const { rows, meta } = partOf(plan, callerContext)
    return { data: rows, meta }
  }
  if (plan.kind !== 'page') return { data: shaped(plan, results, callerContext), meta: null }
  const [rows = [], [counted] = [], parent] = results
  if (parent?.length === 0) throw notFound()
  engine.keptTotals.keep(plan, counted as CountedTotal)
  const { organizationId } = callerContext
  const asked = { path: route.path, organizationId, params: input.params, query: input.query }
  const { total } = counted as CountedTotal
  const { rows: listed, meta } = listAnswer(plan, { rows, total }, { secretKey: engine.ports.secretKey, asked })
  const { each } = plan
  return { data: each ? listed.map((row) => each(row as never, callerContext)) : listed, meta }
}
