// A request that changes something: door, idempotency key, the writer's turn, the operation, one commit.
import { createHash } from 'node:crypto'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import type { Transaction } from '#kernel/database/database.ts'
import { type AccessRequest, type AccessDecision, accessStatement, writerLock } from '#kernel/access/access-check.ts'
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
  type RequestContext,
  roleOf,
  originOf,
  outside,
  checkAccess,
  recordVisit,
  recordWithin,
} from './request-context.ts'
import type { Input, Result as RouteResult, Route } from './route.ts'
import type { Turn } from '#kernel/database/tenant-queue.ts'
import { assertNoProblems, unstorableStrings } from './validation.ts'
import { type Binding, committed, organizationContext, systemContext } from '#kernel/data/transactions.ts'

/** What is refused takes its own record of the visit back with it, so that is written once more. */
export async function answerChange(pass: RequestContext, door: AccessRequest): Promise<Answer> {
  let visitor: AccessDecision | undefined
  const note = (entrance: AccessDecision) => void (visitor = entrance)
  try {
    return await (pass.route.upload ? answerUpload(pass, door, note) : change(pass, door, note))
  } catch (error) {
    if (visitor && error instanceof AppError) await recordVisit(pass, door, visitor)
    throw error
  }
}

export type Note = (entrance: AccessDecision) => void

/** What came before the transaction: an upload's file and fields. */
export type ReceivedUpload = { seen: unknown; input: Input<never, never, never>; digest: Buffer }

/** The door, the bytes to where they stay, then the change; the bytes go again when it does not happen. */
export async function answerUpload(pass: RequestContext, door: AccessRequest, note: Note): Promise<Answer> {
  const { route, request, engine } = pass
  const { upload } = route
  if (!upload) throw new Error(`${route.path} takes no upload`)
  const reader = await checkAccess(pass, door)
  note(reader)
  const around = outside(pass, reader, door)
  const address = readAddress(pass)
  assertNoProblems(unstorableStrings(address.query), pass.checks.query(address.query))
  companyFrom(request.companyHeader)
  if (!request.multipart)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the file as multipart/form-data' })
  const received: Received[] = []
  const names: (string | null)[] = []
  const isRepeated = await isAnswered(pass, door, around)
  let seen: Received | undefined
  const discard = () => Promise.all(received.map((one) => upload.discard(around, one)))
  try {
    const fields = await request.multipart(upload.maxBytes(engine.ports.settings), async (file) => {
      names.push(file.fileName)
      seen = isRepeated ? await fingerprint(file) : await upload.receive(around, address as never, file)
      if (!isRepeated) received.push(seen)
    })
    const problems = readInput(pass, fields, reader)
    if (!seen) throw invalid({ ...(problems instanceof AppError && problems.details.fields), file: 'is required' })
    const input = validInput(pass, reader, fields)
    const digest = Buffer.from(JSON.stringify([fields, names, seen.sha256]))
    const answered = await change(pass, door, note, { seen, input, digest })
    if (answered.replayed) await discard()
    return answered
  } catch (error) {
    await discard()
    throw error
  }
}

/** Then the bytes are only compared: whatever would be in their way by now, they are kept already. */
async function isAnswered(pass: RequestContext, door: AccessRequest, { read }: IoContext): Promise<boolean> {
  const idempotent = idempotencyOf(pass, door, Buffer.alloc(0))
  return idempotent !== null && (await read(storedStatement(idempotent, pass.now))).length > 0
}

async function fingerprint({ stream }: IncomingFile): Promise<Received> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return { sha256: hash.digest('hex') }
}

export async function change(
  pass: RequestContext,
  door: AccessRequest,
  note: Note,
  received?: ReceivedUpload,
): Promise<Answer> {
  const { route } = pass
  let seen: unknown = received?.seen
  let input = received?.input
  if (route.before) {
    const reader = await checkAccess(pass, door)
    note(reader)
    input = validInput(pass, reader)
    await pass.request.limit(input.body)
    seen = await route.before(outside(pass, reader, door), input)
  }
  const idempotent = idempotencyOf(pass, door, received?.digest)
  let known: Pick<Answer, 'userId' | 'organizationId'> = { userId: null, organizationId: null }
  let result: RouteResult<unknown> | undefined
  const stored = await changeInside(
    pass,
    door,
    async (ctx, entrance, ask) => {
      note(entrance)
      known = { userId: entrance.caller.userId, organizationId: entrance.organizationId }
      input ??= validInput(pass, entrance)
      const outcome = await route.run?.(ctx as never, input, seen)
      if (outcome && 'refusal' in outcome) throw outcome.refusal
      result = outcome
      const body = success(result?.data ?? null, result?.message ?? null)
      const answered = { status: route.status, answer: body }
      if (idempotent) await ask(storeStatement(idempotent, answered, pass.now))
      return answered
    },
    idempotent,
  )
  return {
    status: stored.status,
    body: stored.answer,
    ...(result?.cookies && { cookies: result.cookies }),
    ...(result === undefined && { replayed: true }),
    ...known,
  }
}

/** Takes an `Idempotency-Key`: a POST of somebody known, whose answer shows no secret. */
export const isRepeatable = ({ access, method, secret, path }: Route): boolean =>
  method === 'POST' && !secret && !path.startsWith('/auth/') && access.kind !== 'open' && access.kind !== 'signed'

export function idempotencyOf(
  { route, request }: RequestContext,
  { credential, organizationId }: AccessRequest,
  digest?: Buffer,
): IdempotentRequest | null {
  if (!isRepeatable(route)) return null
  const key = readIdempotencyKey(request.idempotencyHeader)
  if (key === null) return null
  const who = credential.kind === 'api_key' ? credential.consumerKey : credential.userId
  const path = Object.values(request.params).join('/')
  const asked = [JSON.stringify(request.query), JSON.stringify(request.companyHeader ?? null)]
  return idempotentRequest(
    key,
    { organizationId, scope: [credential.kind, who, organizationId, route.method, route.path, path, ...asked] },
    digest ?? request.body,
  )
}

export type Inside<Result> = (
  ctx: OrganizationContext | SystemContext,
  entrance: AccessDecision,
  ask: Transaction['ask'],
) => Promise<Result>

/** The door, the claim on the idempotency key, the writer's turn, the work: one transaction. */
export function changeInside<Result>(
  pass: RequestContext,
  door: AccessRequest,
  inside: Inside<Result>,
  idempotent: IdempotentRequest | null = null,
): Promise<Result> {
  const { engine } = pass
  const role = roleOf(door)
  const isBound = role === 'titular_app'
  const lock = isBound ? [writerLock(door.organizationId)] : []
  const claim = idempotent ? [claimStatement(idempotent), storedStatement(idempotent, pass.now)] : []
  const work = ({ arrive, hasArrived }: Turn) =>
    committed(
      engine.onEnqueued,
      (mark) =>
        engine.database.change(
          role,
          [accessStatement(door), ...(idempotent ? claim : lock)],
          async (transaction, opened) => {
            const [[row] = []] = opened
            const entrance = admit(pass, row, door)
            const visited = () => recordWithin(transaction, pass, door, entrance)
            if (idempotent) {
              const replay = judgeClaim(isClaimed(opened[1]?.[0]), opened[2]?.[0], idempotent)
              if (replay) {
                await visited()
                return replay as Result & StoredAnswer
              }
              if (isBound) await transaction.batch(lock)
            }
            arrive()
            await visited()
            const ctx = isBound
              ? organizationContext(transaction, originOf(pass, entrance), bindingOf(pass, door, entrance), mark)
              : systemContext(transaction, originOf(pass, entrance), mark)
            return inside(ctx, entrance, transaction.ask)
          },
        ),
      hasArrived,
    )
  if (!isBound || door.organizationId === null) return work(NO_TURN)
  const seat = { organizationId: door.organizationId, who: callerOf(door), isKeyed: idempotent !== null }
  return engine.turns(seat, work)
}

const bindingOf = (
  { request }: RequestContext,
  { organizationId }: AccessRequest,
  { role, scopes }: AccessDecision,
): Binding => ({
  organizationId: organizationId ?? 0,
  role,
  scopes,
  company: companyFrom(request.companyHeader),
})

/** Bound to no organization, or to none that can be: nobody waits for it. */
const NO_TURN: Turn = { arrive: () => {}, hasArrived: () => true }

const callerOf = ({ credential }: AccessRequest): string =>
  credential.kind === 'api_key' ? credential.consumerKey : String(credential.userId)

export const isClaimed = (row: unknown): boolean => (row as { claimed: boolean }).claimed
