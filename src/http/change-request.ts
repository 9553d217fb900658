// A request that changes something: access check, idempotency key, lock of the organization, operation, commit.
import { createHash } from 'node:crypto'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import { accessStatement } from '#kernel/access/access-check.ts'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { approvedInput } from './approved-input.ts'
import { success } from './envelope.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import type { IncomingFile, FileHash } from '#http/features/file-bodies.ts'
import {
  type IdempotentRequest,
  type StoredAnswer,
  claimStatement,
  judgeClaim,
  storeStatement,
  storedStatement,
} from '#kernel/data/idempotency.ts'
import { idempotencyOf } from '#http/features/idempotency-key.ts'
import { companyFrom, companyOrNull, readAddress, readInput } from './input.ts'
import { assertMatches } from '#http/features/precondition.ts'
import {
  admit,
  type Answer,
  type AuthenticatedContext,
  roleOf,
  originOf,
  allocated,
  ioContext,
  checkAccess,
  auditStaffAccess,
  auditStaffAccessWithin,
} from './request-context.ts'
import type { Input, Result as RouteResult } from './route.ts'
import { personOf } from './planned-read.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { TenantLock } from '#kernel/database/tenant-queue.ts'
import { assertNoProblems, unstorableStrings } from '#kernel/values/validation/validation.ts'
import { type Binding, committed, organizationContext, systemContext } from '#kernel/access/transactions.ts'

/** A refused change is rolled back together with its audit entry of staff access, so the entry is written again. */
export async function answerChange(context: AuthenticatedContext): Promise<Answer> {
  try {
    return await (context.route.upload ? answerUpload(context) : change(context))
  } catch (error) {
    if (context.decision && error instanceof AppError) await auditStaffAccess(context, context.decision)
    throw error
  }
}

/** What `run` gets from before the transaction; of an upload also its fields, and the digest of all that was sent. */
type BeforeChange = { prepared?: unknown; input?: Input<never, never, never>; digest?: Buffer }

/** Checks access, streams the bytes to the store, then runs the change; removes the bytes when the change fails. */
async function answerUpload(context: AuthenticatedContext): Promise<Answer> {
  const { route, request, engine } = context
  const { upload } = route
  if (!upload) throw new Error(`${route.path} takes no upload`)
  const decision = await checkAccess(context)
  const io = ioContext(context, decision)
  const address = readAddress(context)
  assertNoProblems(unstorableStrings(address.query), context.checks.query(address.query))
  companyFrom(request.companyHeader)
  if (!request.multipart)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the file as multipart/form-data' })
  const received: FileHash[] = []
  const names: (string | null)[] = []
  const isRepeated = await isAnswered(context, io)
  let prepared: FileHash | undefined
  const discard = () => Promise.all(received.map((one) => upload.discard(io, one)))
  try {
    const fields = await request.multipart(upload.maxBytes(engine.ports.settings), async (file) => {
      names.push(file.fileName)
      prepared = isRepeated ? await fingerprint(file) : await upload.receive(io, address as never, file)
      if (!isRepeated) received.push(prepared)
    })
    const problems = readInput(context, fields, decision)
    if (!prepared) throw invalid({ ...(problems instanceof AppError && problems.details.fields), file: 'is required' })
    const input = approvedInput(context, decision, fields)
    const digest = Buffer.from(JSON.stringify([fields, names, prepared.sha256]))
    const answered = await change(context, { prepared, input, digest })
    if (answered.replayed) await discard()
    return answered
  } catch (error) {
    await discard()
    throw error
  }
}

/** A repeated upload is only compared with the first: its bytes are kept already, so quotas do not apply again. */
async function isAnswered(context: AuthenticatedContext, { read }: IoContext): Promise<boolean> {
  const idempotent = idempotencyOf(context, Buffer.alloc(0))
  return idempotent !== null && (await read(storedStatement(idempotent, context.now))).length > 0
}

async function fingerprint({ stream }: IncomingFile): Promise<FileHash> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return { sha256: hash.digest('hex') }
}

async function change(context: AuthenticatedContext, received?: BeforeChange): Promise<Answer> {
  const { route } = context
  const { prepared, input: known, digest } = received ?? (await beforeChange(context))
  const idempotent = await idempotencyAfterAccess(context, digest)
  let result: RouteResult<unknown> | undefined
  const stored = await runChange(
    context,
    async (ctx, decision) => {
      const input = known ?? approvedInput(context, decision)
      await assertMatches(context, ctx, decision)
      const outcome = await route.run?.(ctx as never, input, prepared)
      if (outcome && 'refusal' in outcome) throw outcome.refusal
      result = outcome
      const body = success(result?.data ?? null, result?.message ?? null)
      const answered = { status: route.status, answer: body }
      if (idempotent) ctx.write(storeStatement(idempotent, answered, context.now))
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
async function idempotencyAfterAccess(
  context: AuthenticatedContext,
  digest: Buffer | undefined,
): Promise<IdempotentRequest | null> {
  try {
    return idempotencyOf(context, digest)
  } catch (error) {
    await checkAccess(context)
    throw error
  }
}

export async function beforeChange(context: AuthenticatedContext): Promise<BeforeChange> {
  const { route } = context
  if (route.allocates) {
    const read = earlyInput(context)
    if (!(read instanceof AppError)) return { prepared: await allocated(context, route.allocates, read) }
  }
  const prepare = route.before ?? route.allocates
  if (!prepare && !route.limit) return {}
  const decision = await checkAccess(context)
  const input = approvedInput(context, decision)
  await context.request.limit(input.body)
  return { prepared: await prepare?.(ioContext(context, decision), input), input }
}

type Operation<Result> = (ctx: OrganizationContext | SystemContext, decision: AccessDecision) => Promise<Result>

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
  const callerKey = credential.kind === 'api_key' ? credential.consumerKey : String(credential.userId)
  return engine.tenantQueue({ organizationId, callerKey, hasIdempotencyKey: idempotent !== null }, run)
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
  const locking = isBound ? engine.store().locking(accessRequest.organizationId, aheadOf(context)) : []
  const opening = idempotent ? [claimStatement(idempotent), storedStatement(idempotent, now)] : locking
  return engine.database.change(role, [accessStatement(accessRequest), ...opening], async (transaction, opened) => {
    const [[accessRow] = [], ...others] = opened
    if (accessRow === undefined) throw NOT_ADMITTED
    const decision = admit(context, accessRow)
    auditStaffAccessWithin(transaction, context, decision)
    let locked = others
    if (idempotent) {
      const replay = judgeClaim(isClaimed(others[0]?.[0]), others[1]?.[0], idempotent)
      if (replay) return replay as Result & StoredAnswer
      locked = await Promise.all(locking.map((statement) => transaction.ask(statement)))
    }
    lock.lockAcquired()
    if (isBound) transaction.answered(locking.slice(1), locked.slice(1))
    const origin = originOf(context, decision)
    const ctx = isBound
      ? organizationContext(transaction, origin, bindingOf(context, decision, locked[0]?.[0]), markEnqueued)
      : systemContext(transaction, origin, markEnqueued)
    return operation(ctx, decision)
  })
}

/** Before the access check, so without the rules that depend on the caller. */
const earlyInput = (context: AuthenticatedContext) => (context.earlyInput ??= readInput(context))

/** None for an input that is wrong: its errors come after the access check. */
function aheadOf(context: AuthenticatedContext): Statement[] {
  const { route, request, accessRequest, engine, now } = context
  const org = accessRequest.organizationId
  const input = route.ahead && org !== null ? earlyInput(context) : null
  if (!route.ahead || org === null || input === null || input instanceof AppError) return []
  const company = companyOrNull(request.companyHeader)
  return route.ahead({ org, ...personOf(accessRequest), company, now, realNow: now, ports: engine.ports }, input)
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
