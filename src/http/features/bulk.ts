// Several creations, changes and removals in one request: each is the request of its own route, in a transaction of its
// own, and has a result of its own (docs/decisions/0090).
import { hash } from 'node:crypto'
import { parse } from 'node:querystring'
import { type Static, Type } from 'typebox'
import { tenantStatement } from '#kernel/access/access-check.ts'
import { judgeClaim, readIdempotencyKey, storedStatement, storeStatement } from '#kernel/data/idempotency.ts'
import { Closed } from '#kernel/values/schema.ts'
import { answersOf } from '#http/openapi/document.ts'
import { failure, success } from '#http/envelope.ts'
import { AppError, ERRORS, notFound, RETRY_SECONDS, toAppError } from '#kernel/values/errors.ts'
import { validInput } from '#http/input.ts'
import { idempotencyOf } from './idempotency-key.ts'
import { OPERATION_METHODS, type OperationRoute } from './operation-routes.ts'
import { auditStaffAccess, checkAccess } from '#http/access.ts'
import type { answer } from '#http/answer.ts'
import type { Answer, AuthenticatedContext } from '#http/request-context.ts'
import { listedOf } from '#http/serialize.ts'
import { languageFrom } from '#texts/language.ts'

const MOST_OPERATIONS = 100

const Operation = Closed({
  method: Type.Enum(OPERATION_METHODS, { examples: ['PATCH'] }),
  path: Type.String({
    pattern: '^/[^\\s#]*$',
    maxLength: 1000,
    description: 'As in this document, with its query if it has one',
    examples: ['/invoices/42'],
  }),
  body: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      description: 'The body of the operation',
      examples: [{ external_id: 'ERP-7' }],
    }),
  ),
  if_match: Type.Optional(
    Type.String({ maxLength: 500, description: 'The `If-Match` of the operation', examples: ['"jB2kPm0v4yQe1rXw…"'] }),
  ),
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'The `Idempotency-Key` of the operation; otherwise one is made of that of the request, if it has one',
    }),
  ),
})
type Operation = Static<typeof Operation>

export const BulkRequest = Closed({
  operations: Type.Array(Operation, {
    minItems: 1,
    maxItems: MOST_OPERATIONS,
    description: 'Carried out in this order',
  }),
})

const BulkResult = Type.Object({
  index: Type.Integer({ description: 'The place of the operation, from 0', examples: [0] }),
  status: Type.Integer({ description: 'The status of the operation', examples: [200] }),
  replayed: Type.Boolean({ description: 'The stored answer of an earlier request with the same key' }),
  body: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'What the operation answers by itself; the fields of a 422 begin with `operations.0.`',
  }),
})
type BulkResult = Static<typeof BulkResult>

export const BulkAnswer = Type.Object(
  {
    succeeded: Type.Integer({ description: 'Operations with a status below 400', examples: [1] }),
    failed: Type.Integer({ examples: [0] }),
    results: Type.Array(BulkResult, { description: 'One for each operation, in their order' }),
  },
  { description: 'What became of each operation' },
)

type Answering = typeof answer

export async function answerBulk(context: AuthenticatedContext, answering: Answering): Promise<Answer> {
  const { request, checks } = context
  const { decision } = await checkAccess(context)
  await auditStaffAccess(context, decision)
  const { operations } = validInput(context, decision).body as Static<typeof BulkRequest>
  const key = readIdempotencyKey(request.idempotencyHeader)
  await assertSameBody(context)
  const gone = request.gone()
  const results: BulkResult[] = []
  for (const [index, operation] of operations.entries()) {
    // Nobody waits for the answers any more; with the same key the rest is done when the request is repeated.
    if (gone.aborted) throw new AppError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_SECONDS })
    const found = checks.operations?.(operation.method, operation.path.split('?', 1)[0] ?? '')
    const item = { operation, index, key: operation.idempotency_key ?? keyOf(key, index), found }
    // oxlint-disable-next-line no-await-in-loop -- later operations may build on earlier ones
    results.push(await resultOf(context, answering, item))
  }
  const failed = results.filter(({ status }) => status >= 400).length
  const data = { succeeded: results.length - failed, failed, results }
  return { status: 200, body: success(data), userId: decision.caller.userId, organizationId: decision.organizationId }
}

/** Keeps with the key what it was sent with: 422 for another body, before any of it is done. */
async function assertSameBody(context: AuthenticatedContext): Promise<void> {
  const { engine, now } = context
  const idempotent = idempotencyOf(context)
  if (!idempotent) return
  const opening = tenantStatement(idempotent.organizationId ?? 0, true)
  const kept = [storeStatement(idempotent, { status: 200, answer: null }, now), storedStatement(idempotent, now)]
  const [, , [stored] = []] = await engine.database.read('titular_app', [opening, ...kept])
  judgeClaim(true, stored, idempotent)
}

/** The same for the same place of a repeated request. */
const keyOf = (key: string | null, index: number): string | undefined =>
  key === null ? undefined : hash('sha256', JSON.stringify([key, index]), 'base64url')

type BulkItem = {
  operation: Operation
  index: number
  key: string | undefined
  found: OperationRoute | null | undefined
}

async function resultOf(context: AuthenticatedContext, answering: Answering, asked: BulkItem): Promise<BulkResult> {
  const { engine, request } = context
  const { index, found } = asked
  try {
    // The request itself was counted as its first operation.
    if (index > 0) await request.countOperation()
    if (!found) throw notFound('A bulk has no such operation')
    const answered = await answering(engine, found.route, found.checks, requestOf(context, asked, found))
    const { status, body, replayed = false } = answered
    const listed = listedOf(answersOf(found.route)[status] ?? {})
    return { index, status, replayed, body: listed(body) as object }
  } catch (error) {
    const known = toAppError(error, request.requestId)
    request.logFailure(known)
    const { status } = ERRORS[known.code]
    const language = languageFrom(request.headers['accept-language'], 'en')
    return {
      index,
      status,
      replayed: false,
      body: failure(placed(known, index), engine.ports.settings.publicUrl, language),
    }
  }
}

/** What the operation is as a request of its own. */
function requestOf({ request }: AuthenticatedContext, { operation, key }: BulkItem, { params }: OperationRoute) {
  const { 'if-match': _ofRequest, ...headers } = request.headers
  const { path, body, if_match } = operation
  const query = path.includes('?') ? { ...parse(path.slice(path.indexOf('?') + 1)) } : {}
  return {
    ...request,
    params,
    query,
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    idempotencyHeader: key,
    headers: { ...headers, ...(if_match !== undefined && { 'if-match': if_match }) },
    logOrganization: () => {},
  }
}

/** Names the fields by their place in the request. */
function placed(error: AppError, index: number): AppError {
  const { code, details } = error
  if (code !== 'VALIDATION_ERROR' || !details.fields) return error
  const named = Object.entries(details.fields).map(([field, problem]) => [`operations.${index}.${field}`, problem])
  return new AppError(code, { ...details, message: error.message, fields: Object.fromEntries(named) })
}
