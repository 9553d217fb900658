// A change whose body is a file with fields: the bytes are streamed to the store before the transaction, and removed
// when anything after that fails.
import { createHash } from 'node:crypto'
import type { IoContext } from '#kernel/data/context.ts'
import { storedStatement } from '#kernel/data/idempotency.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import { assertNoProblems, unstorableStrings } from '#kernel/values/validation/validation.ts'
import { checkAccess } from '#http/access.ts'
import { change } from '#http/change.ts'
import { approvedInput, companyFrom, readAddress, readInput } from '#http/input.ts'
import { ioContext } from '#http/operation-contexts.ts'
import type { Answer, AuthenticatedContext } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'
import type { FileHash, IncomingFile } from './file-bodies.ts'
import { idempotencyOf } from './idempotency-key.ts'

type AnyUpload = NonNullable<Route['features']['upload']>

export async function answerUpload(context: AuthenticatedContext, upload: AnyUpload): Promise<Answer> {
  const { request, engine } = context
  const { decision } = await checkAccess(context)
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
    const input = isRepeated ? {} : { input: approvedInput(context, decision, fields) }
    const digest = Buffer.from(JSON.stringify([fields, names, prepared.sha256]))
    const answered = await change(context, { prepared, ...input, digest })
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
