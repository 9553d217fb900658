// A request that changes something: access check, idempotency key, lock of the organization, operation, commit.
import { createHash } from 'node:crypto'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import type { Transaction } from '#kernel/database/database.ts'
import { accessStatement, writerLock } from '#kernel/access/access-check.ts'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { success } from './envelope.ts'
import { AppError, invalid } from './errors.ts'
import type { IncomingFile, Received } from './file-bodies.ts'
import {
  type IdempotentRequest,
  type StoredAnswer,
  claimStatement,
  idempotentRequest,
  judgeClaim,
  readIdempotencyKey,
  storeStatement,
  storedStatement,
} from '#kernel/data/idempotency.ts'
import { companyFrom, readAddress, readInput, validInput } from './input.ts'
import {
  admit,
  type Answer,
  type AuthenticatedContext,
  roleOf,
  originOf,
  ioContext,
  checkAccess,
  auditStaffAccess,
  auditStaffAccessWithin,
} from './request-context.ts'
import type { Input, Result as RouteResult, Route } from './route.ts'
import type { TenantLock } from '#kernel/database/tenant-queue.ts'
import { assertNoProblems, unstorableStrings } from './validation.ts'
import { type Binding, committed, organizationContext, systemContext } from '#kernel/data/transactions.ts'

/** A refused change is rolled back together with its audit entry of staff access, so the entry is written again. */
export async function answerChange(context: AuthenticatedContext): Promise<Answer> {
  let admitted: AccessDecision | undefined
  const onAdmitted = (decision: AccessDecision) => void (admitted = decision)
  try {
    return await (context.route.upload ? answerUpload(context, onAdmitted) : change(context, onAdmitted))
  } catch (error) {
    if (admitted && error instanceof AppError) await auditStaffAccess(context, admitted)
    throw error
  }
}

type OnAdmitted = (decision: AccessDecision) => void

/** What an upload has before the transaction: its file and fields. */
type ReceivedUpload = { prepared: unknown; input: Input<never, never, never>; digest: Buffer }

/** Checks access, streams the bytes to the store, then runs the change; removes the bytes when the change fails. */
async function answerUpload(context: AuthenticatedContext, onAdmitted: OnAdmitted): Promise<Answer> {
  const { route, request, engine } = context
  const { upload } = route
  if (!upload) throw new Error(`${route.path} takes no upload`)
  const decision = await checkAccess(context)
  onAdmitted(decision)
  const io = ioContext(context, decision)
  const address = readAddress(context)
  assertNoProblems(unstorableStrings(address.query), context.checks.query(address.query))
  companyFrom(request.companyHeader)
  if (!request.multipart)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the file as multipart/form-data' })
  const received: Received[] = []
  const names: (string | null)[] = []
  const isRepeated = await isAnswered(context, io)
  let prepared: Received | undefined
  const discard = () => Promise.all(received.map((one) => upload.discard(io, one)))
  try {
    const fields = await request.multipart(upload.maxBytes(engine.ports.settings), async (file) => {
      names.push(file.fileName)
      prepared = isRepeated ? await fingerprint(file) : await upload.receive(io, address as never, file)
      if (!isRepeated) received.push(prepared)
    })
    const problems = readInput(context, fields, decision)
    if (!prepared) throw invalid({ ...(problems instanceof AppError && problems.details.fields), file: 'is required' })
    const input = validInput(context, decision, fields)
    const digest = Buffer.from(JSON.stringify([fields, names, prepared.sha256]))
    const answered = await change(context, onAdmitted, { prepared, input, digest })
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

async function fingerprint({ stream }: IncomingFile): Promise<Received> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return { sha256: hash.digest('hex') }
}

async function change(
  context: AuthenticatedContext,
  onAdmitted: OnAdmitted,
  received?: ReceivedUpload,
): Promise<Answer> {
  const { route } = context
  let prepared: unknown = received?.prepared
  let input = received?.input
  if (route.before) {
    const decision = await checkAccess(context)
    onAdmitted(decision)
    input = validInput(context, decision)
    await context.request.limit(input.body)
    prepared = await route.before(ioContext(context, decision), input)
  }
  const idempotent = idempotencyOf(context, received?.digest)
  let logged: Pick<Answer, 'userId' | 'organizationId'> = { userId: null, organizationId: null }
  let result: RouteResult<unknown> | undefined
  const stored = await runChange(
    context,
    async (ctx, decision, ask) => {
      onAdmitted(decision)
      logged = { userId: decision.caller.userId, organizationId: decision.organizationId }
      input ??= validInput(context, decision)
      const outcome = await route.run?.(ctx as never, input, prepared)
      if (outcome && 'refusal' in outcome) throw outcome.refusal
      result = outcome
      const body = success(result?.data ?? null, result?.message ?? null)
      const answered = { status: route.status, answer: body }
      if (idempotent) await ask(storeStatement(idempotent, answered, context.now))
      return answered
    },
    idempotent,
  )
  return {
    status: stored.status,
    body: stored.answer,
    ...(result?.cookies && { cookies: result.cookies }),
    ...(result === undefined && { replayed: true }),
    ...logged,
  }
}

/** Takes an `Idempotency-Key`: a POST with credentials whose answer contains no secret. */
export const isRepeatable = ({ access, method, secret, path }: Route): boolean =>
  method === 'POST' && !secret && !path.startsWith('/auth/') && access.kind !== 'open' && access.kind !== 'signed'

function idempotencyOf(
  { route, request, accessRequest }: AuthenticatedContext,
  digest?: Buffer,
): IdempotentRequest | null {
  if (!isRepeatable(route)) return null
  const key = readIdempotencyKey(request.idempotencyHeader)
  if (key === null) return null
  const { credential, organizationId } = accessRequest
  const caller = credential.kind === 'api_key' ? credential.consumerKey : credential.userId
  const path = Object.values(request.params).join('/')
  const details = [JSON.stringify(request.query), JSON.stringify(request.companyHeader ?? null)]
  return idempotentRequest(
    key,
    { organizationId, scope: [credential.kind, caller, organizationId, route.method, route.path, path, ...details] },
    digest ?? request.body,
  )
}

type Operation<Result> = (
  ctx: OrganizationContext | SystemContext,
  decision: AccessDecision,
  ask: Transaction['ask'],
) => Promise<Result>

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
  const lockStatements = isBound ? [writerLock(accessRequest.organizationId)] : []
  const opening = idempotent ? [claimStatement(idempotent), storedStatement(idempotent, now)] : lockStatements
  return engine.database.change(role, [accessStatement(accessRequest), ...opening], async (transaction, opened) => {
    const [[accessRow] = []] = opened
    if (accessRow === undefined) throw NOT_ADMITTED
    const decision = admit(context, accessRow)
    if (idempotent) {
      const replay = judgeClaim(isClaimed(opened[1]?.[0]), opened[2]?.[0], idempotent)
      if (replay) {
        await auditStaffAccessWithin(transaction, context, decision)
        return replay as Result & StoredAnswer
      }
      if (isBound) await transaction.batch(lockStatements)
    }
    lock.lockAcquired()
    await auditStaffAccessWithin(transaction, context, decision)
    const origin = originOf(context, decision)
    const ctx = isBound
      ? organizationContext(transaction, origin, bindingOf(context, decision), markEnqueued)
      : systemContext(transaction, origin, markEnqueued)
    return operation(ctx, decision, transaction.ask)
  })
}

const bindingOf = ({ request, accessRequest }: AuthenticatedContext, { role, scopes }: AccessDecision): Binding => ({
  organizationId: accessRequest.organizationId ?? 0,
  role,
  scopes,
  company: companyFrom(request.companyHeader),
})

/** For changes outside of organizations, and for requests without a valid one, which the access check refuses. */
const NO_LOCK: TenantLock = { lockAcquired: () => {}, hasLock: () => true }

const isClaimed = (row: unknown): boolean => (row as { claimed: boolean }).claimed
