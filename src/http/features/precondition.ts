// If-Match (RFC 9110, section 13.1.1): a change that happens only to the record that its sender has seen
// (docs/interface/general.md).
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { answersOf, isGuarded } from '#http/openapi/document.ts'
import { tagOf, isTagged } from './entity-tag.ts'
import { success } from '#http/envelope.ts'
import { AppError } from '#kernel/values/errors.ts'
import { callerContextOf, readContextOf } from '#http/operation-contexts.ts'
import { shaped, statementsOf } from '#http/read-plan.ts'
import type { AuthenticatedContext } from '#http/request-context.ts'
import type { ReadPlan, Route } from '#http/route.ts'
import { serializerOf } from '#http/serialize.ts'
import { propertiesOf } from './sparse-fields.ts'
import { coerceParams } from '#kernel/values/validation/validation.ts'

/** The read of the record that a change is about, and how its answer is written. */
type RecordRead = { route: Route; write: (body: unknown) => string }

/**
 * `PATCH /quotes/{id}` and `POST /quotes/{id}/send` are about the answer of `GET /quotes/{id}`, `PUT /auth/me` about
 * that of `GET /auth/me`, and `DELETE /orders/{id}/subscription/cancel` about that of the subscription, which is nearer
 * than the order. A POST to the very path makes something new below the record.
 */
export function recordReadOf(route: Route, routes: readonly Route[]): RecordRead | null {
  if (!isGuarded(route)) return null
  const isItsRecord = (one: Route) =>
    isTagged(one) &&
    !one.features.moment &&
    (one.path === route.path ? route.method !== 'POST' : one.path.includes('}')) &&
    isAct(route.path.slice(one.path.length)) &&
    route.path.startsWith(one.path)
  const [found] = routes.filter(isItsRecord).toSorted((one, other) => other.path.length - one.path.length)
  if (!found) return null
  let serialize: ((body: unknown) => string) | undefined
  const write = (body: unknown) => (serialize ??= serializerOf(answersOf(found)[found.status] ?? {}))(body)
  return { route: found, write }
}

const isAct = (rest: string): boolean => /^(\/[a-z-]+)*$/.test(rest)

/** Whether `REQUIRE_IF_MATCH` is about it: acts say themselves in which states they are possible. */
const mustBeConditional = ({ method }: Route): boolean => method !== 'POST'

/**
 * Throws 412 when the record is no longer as the sender has seen it: its own read is asked again, in the transaction of
 * the change and behind the organization's lock, so that of many with the same tag one is the first.
 */
export async function assertMatches(
  context: AuthenticatedContext,
  ctx: Pick<SystemContext, 'ask'>,
  decision: AccessDecision,
): Promise<void> {
  const { engine, route, checks, request } = context
  const { [IF_MATCH]: header } = request.headers
  const { record } = checks
  if (header === undefined) {
    const isRequired = engine.ports.settings.requireIfMatch && record && mustBeConditional(route)
    if (isRequired && (await isThere(context, ctx, { record, decision }))) throw new AppError('PRECONDITION_REQUIRED')
    return
  }
  if (!isGuarded(route)) return
  const tags = String(header)
    .split(',')
    .map((tag) => tag.trim())
  if (record === null) throw new AppError('PRECONDITION_FAILED', { message: 'What is changed here has no ETag' })
  const tag = await currentTag(context, ctx, { record, decision })
  if (!tags.includes('*') && !tags.includes(tag)) throw new AppError('PRECONDITION_FAILED')
}

const IF_MATCH = 'if-match'

type GuardedRecord = { record: RecordRead; decision: AccessDecision }

/** What is not there yet has no tag to be sent, and nothing that could be overwritten unseen. */
async function isThere(...asked: Parameters<typeof currentTag>): Promise<boolean> {
  try {
    await currentTag(...asked)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false
    throw error
  }
}

async function currentTag(
  context: AuthenticatedContext,
  ctx: Pick<SystemContext, 'ask'>,
  { record, decision }: GuardedRecord,
): Promise<string> {
  const { engine, request, accessRequest } = context
  const { read, params: schema } = record.route
  const own = Object.keys(propertiesOf(schema) ?? {})
  const params = coerceParams(Object.fromEntries(own.map((name) => [name, request.params[name] ?? ''])), schema)
  // No organization's lock there: those that name a tag of the same record wait for each other.
  if (accessRequest.organizationId === null) {
    const owner = record.route.access.kind === 'user' ? decision.caller.userId : null
    await ctx.ask(
      sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([record.route.path, params, owner])}, 0))`,
    )
  }
  const asked = readContextOf(context, decision.testClock ?? undefined)
  const plan = read?.(asked, { params, query: {}, body: {}, raw: { body: request.body, headers: {} } } as never)
  if (plan?.kind !== 'row' && plan?.kind !== 'parts') throw new Error(`${record.route.path} is no record`)
  const results = await Promise.all(statementsOf(plan, engine.keptTotals).map((statement) => ctx.ask(statement)))
  return tagOf(
    record.write(success(shaped(plan satisfies ReadPlan<unknown>, results, callerContextOf(context, decision)))),
  )
}
