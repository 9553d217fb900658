// A request that changes something: its steps, in the order of refusals.
import { accessStatement } from '#kernel/access/access-check.ts'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { type Binding, committed, organizationContext, systemContext } from '#kernel/access/transactions.ts'
import { all, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import {
  type IdempotentRequest,
  claimStatement,
  judgeClaim,
  storeStatement,
  storedStatement,
} from '#kernel/data/idempotency.ts'
import type { TenantLock } from '#kernel/database/tenant-queue.ts'
import { AppError, conflict } from '#kernel/values/errors.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { idempotencyOf } from '#http/features/idempotency-key.ts'
import { assertMatches } from '#http/features/precondition.ts'
import { answerUpload } from '#http/features/uploads.ts'
import { admit, auditStaffAccess, auditStaffAccessWithin, callerKeyOf, checkAccess, roleOf } from './access.ts'
import { success } from './envelope.ts'
import { approvedInput, companyFrom, readInput } from './input.ts'
import { allocated, ioContext, originOf, readContextOf } from './operation-contexts.ts'
import type { Answer, AuthenticatedContext } from './request-context.ts'
import type { Input, Result as RouteResult } from './route.ts'

type AnyInput = Input<never, never, never>

/** A refused change is rolled back together with its audit entry of staff access, so the entry is written again. */
export async function answerChange(context: AuthenticatedContext): Promise<Answer> {
  const { upload } = context.route.features
  try {
    return await (upload ? answerUpload(context, upload) : change(context))
  } catch (error) {
    if (context.decision && error instanceof AppError) await auditStaffAccess(context, context.decision)
    throw error
  }
}

/** What `run` gets from before the transaction; of an upload also its fields, and the digest of all that was sent. */
type BeforeChange = { prepared?: unknown; input?: AnyInput; digest?: Buffer }

export async function change(context: AuthenticatedContext, received?: BeforeChange): Promise<Answer> {
  const { route } = context
  const idempotent = await idempotencyAfterAccess(context, received?.digest)
  // What must be done before the transaction has an access check of its own.
  const { prepared, input: known } = received ?? (await beforeChange(context, idempotent))
  let result: RouteResult<unknown> | undefined
  // 401, 400, 404 of the organization, 403; the answer of an earlier request with the key, or 409; 503 without its lock
  const stored = await runChange(
    context,
    async (ctx, decision, rows) => {
      // 404 of the path, 406, 422, 403 without a recent proof
      const input = known ?? approvedInput(context, decision)
      // 412, 428
      await assertMatches(context, ctx, decision)
      // 404 of the record, 409, and what else the operation refuses
      result = await operate(context, ctx, { decision, input, rows, prepared })
      const body = success(result?.data ?? null, result?.message ?? null)
      const answered = { status: route.status, answer: body }
      const kept = route.features.secret ? { ...answered, answer: null } : answered
      if (idempotent) ctx.write(storeStatement(idempotent, kept, context.now))
      return answered
    },
    idempotent,
  )
  return {
    status: stored.status,
    body: stored.answer,
    ...(result?.cookies && { cookies: result.cookies }),
    ...(result === undefined && { replayed: true }),
    userId: context.decision?.caller.userId ?? null,
    organizationId: context.decision?.organizationId ?? null,
  }
}

/** A malformed key is an error of the input, which only those learn who have access. */
async function idempotencyAfterAccess(context: AuthenticatedContext, digest?: Buffer) {
  try {
    return idempotencyOf(context, digest)
  } catch (error) {
    await checkAccess(context)
    throw error
  }
}

/** Nothing for a request that was answered before: the transaction gives the answer again. */
export async function beforeChange(
  context: AuthenticatedContext,
  idempotent: IdempotentRequest | null = null,
): Promise<BeforeChange> {
  const { before, features } = context.route
  const allocates = typeof before === 'object' ? before.allocates : undefined
  if (allocates) {
    const read = earlyInput(context)
    if (!(read instanceof AppError)) return { prepared: await allocated(context, allocates, read) }
  }
  const prepare = typeof before === 'function' ? before : allocates
  if (!prepare && !features.limit) return {}
  const { decision, results } = await checkAccess(context, idempotent ? [storedStatement(idempotent, context.now)] : [])
  if (results[0]?.length) return {}
  const input = approvedInput(context, decision)
  await context.request.limit(input.body)
  return { prepared: await prepare?.(ioContext(context, decision), input), input }
}

/** The rows of the statements that the route asks before; null where they did not come with the lock. */
type Rows = readonly unknown[][] | null

type Operation<Result> = (
  ctx: OrganizationContext | SystemContext,
  decision: AccessDecision,
  rows: Rows,
) => Promise<Result>

type OperateOptions = { decision: AccessDecision; input: AnyInput; rows: Rows; prepared: unknown }

/**
 * Runs the route's operation. What it asks before is asked now where the rows did not come with the lock: on a cluster,
 * at the time of a test clock, and of an input that only the caller's rules let pass.
 */
export async function operate(
  context: AuthenticatedContext,
  ctx: OrganizationContext | SystemContext,
  { decision, input, rows, prepared }: OperateOptions,
): Promise<RouteResult<unknown> | undefined> {
  const asks = asksOf(context)
  const asked =
    asks && !rows ? await all(ctx, asks(readContextOf(context, decision.testClock ?? undefined), input)) : []
  const outcome = await context.route.run?.(ctx as never, { ...input, rows: rows ?? asked }, prepared)
  if (outcome && 'refusal' in outcome) throw outcome.refusal
  return outcome
}

/** Runs the operation in a transaction, after the organization's earlier changes. */
export function runChange<Result>(
  context: AuthenticatedContext,
  operation: Operation<Result>,
  idempotent: IdempotentRequest | null = null,
): Promise<Result> {
  const { engine, accessRequest } = context
  const { credential, organizationId } = accessRequest
  const run = (lock: TenantLock) =>
    committed(
      engine.onEnqueued,
      (markEnqueued) =>
        transact(context, operation, { idempotent, lock, markEnqueued }).catch((error: unknown) => {
          if (error !== NOT_ADMITTED) throw error
          context.accessRequest = { ...context.accessRequest, isInOrder: true }
          return transact(context, operation, { idempotent, lock, markEnqueued })
        }),
      lock.hasLock,
    )
  if (roleOf(accessRequest) !== 'titular_app' || organizationId === null) return run(NO_LOCK)
  const queued = { organizationId, callerKey: callerKeyOf(credential), hasIdempotencyKey: idempotent !== null }
  return engine.tenantQueue(queued, run)
}

/** The access check has to decide in the order of refusals, in a transaction that has begun with it. */
const NOT_ADMITTED = new Error('not admitted')

type TransactOptions = { idempotent: IdempotentRequest | null; lock: TenantLock; markEnqueued: () => void }

/** One transaction: access check, claim on the idempotency key, lock of the organization, operation. */
function transact<Result>(
  context: AuthenticatedContext,
  operation: Operation<Result>,
  { idempotent, lock, markEnqueued }: TransactOptions,
): Promise<Result> {
  const { accessRequest, engine, now } = context
  const role = roleOf(accessRequest)
  const isBound = role === 'titular_app'
  const asked = isBound ? askedBefore(context) : null
  const locking = isBound ? engine.store().locking(accessRequest.organizationId, asked ?? []) : []
  const opening = idempotent ? [claimStatement(idempotent), storedStatement(idempotent, now)] : locking
  return engine.database.change(role, [accessStatement(accessRequest), ...opening], async (transaction, opened) => {
    const [[accessRow] = [], ...others] = opened
    if (accessRow === undefined) throw NOT_ADMITTED
    const decision = admit(context, accessRow)
    auditStaffAccessWithin(transaction, context, decision)
    let locked: readonly unknown[][] = others
    if (idempotent) {
      const old = judgeClaim(isClaimed(others[0]?.[0]), others[1]?.[0], idempotent)
      if (old?.answer === null) throw conflict('answer_not_kept', 'It is done; the answer had a secret and is not kept')
      if (old) return old as Result & typeof old
      locked = await all(transaction, locking)
    }
    lock.lockAcquired()
    const origin = originOf(context, decision)
    if (!isBound) return operation(systemContext(transaction, origin, markEnqueued), decision, null)
    const [[lockRow] = [], ...rows] = locked
    const ctx = organizationContext(transaction, origin, bindingOf(context, decision, lockRow), markEnqueued)
    const isAnswered = !decision.testClock && rows.length === asked?.length
    return operation(ctx, decision, isAnswered ? rows : null)
  })
}

/** Before the access check, so without the rules that depend on the caller. */
const earlyInput = (context: AuthenticatedContext) => (context.earlyInput ??= readInput(context))

const asksOf = ({ route: { before } }: AuthenticatedContext) => (typeof before === 'object' ? before.asks : undefined)

/** Null for an input that is wrong: its errors come after the access check. */
function askedBefore(context: AuthenticatedContext): readonly Statement[] | null {
  const asks = asksOf(context)
  if (!asks || context.accessRequest.organizationId === null) return null
  const input = earlyInput(context)
  return input instanceof AppError ? null : asks(readContextOf(context), input)
}

const bindingOf = (
  { request, accessRequest }: AuthenticatedContext,
  { role, scopes }: AccessDecision,
  locked: unknown,
): Binding => ({
  organizationId: accessRequest.organizationId ?? 0,
  role,
  scopes,
  company: companyFrom(request.companyHeader),
  locked,
})

/** For changes outside of organizations, and for requests without a valid one, which the access check refuses. */
const NO_LOCK: TenantLock = { lockAcquired: () => {}, hasLock: () => true }
const isClaimed = (row: unknown): boolean => (row as { claimed: boolean }).claimed
