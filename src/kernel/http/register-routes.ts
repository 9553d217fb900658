// Routes as data → Fastify: paths, documents, serializers; the pipeline does the rest.
import '@fastify/cookie'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySerializerCompiler } from 'fastify'
import {
  credentialOf,
  fastifyPath,
  guessedAt,
  type RegisterOptions,
  NO_BODY,
  answerOtherMethods,
  repeatable,
  requireCaller,
} from './caller.ts'
import { documentOf } from './document.ts'
import { FailureEnvelope } from './envelope.ts'
import { AppError } from './errors.ts'
import { attachmentDisposition, type FileAnswer } from './file-bodies.ts'
import { OWN_FORMATS } from '#kernel/values/formats.ts'
import { multipartOf } from './multipart.ts'
import type { Answer, RouteChecks } from './request-context.ts'
import { answer } from './pipeline.ts'
import type { Route } from './route.ts'
import { Closed } from '#kernel/values/schema.ts'
import { compileCheck } from './validation.ts'

/** What the log line says about the one who asked. */
export type Asked = { userId: number | null; organizationId: number | null }
export const askedBy = new WeakMap<FastifyRequest, Asked>()

export function registerRoutes(app: FastifyInstance, options: RegisterOptions): void {
  const failures = FailureEnvelope
  app.addSchema(failures)
  for (const route of options.routes) {
    const checks = checksOf(route)
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      schema: documentOf(route),
      // Validation belongs to the pipeline, after the door.
      validatorCompiler: () => () => true,
      serializerCompiler,
      ...((route.upload ?? route.file) && { handlerTimeout: FILE_MS }),
      config: { isUpload: route.upload !== undefined },
      handler: (request, reply) =>
        handle(options, route, checks, request, reply).catch((error: unknown) =>
          needsCaller(route) ? countRefused(options, request, reply, error) : Promise.reject(error),
        ),
    })
  }
  answerOtherMethods(app, options)
  app.setNotFoundHandler(async (request, reply) => {
    await requireCaller(options, request, reply)
    throw new AppError('NOT_FOUND')
  })
}

/** For a file in or out: 100 MiB in this time are 1 Mbit/s; a connection that stands still ends earlier. */
export const FILE_MS = 900_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may take longer than others. */
    isUpload?: boolean
  }
}

/**
 * Made at the first answer of its route: a start need not wait for all. Refusals are written by JSON.stringify
 * (server/app.ts); a serializer for each of them on each route would fill memory.
 */
const serializerCompiler: FastifySerializerCompiler<object> = ({ schema, httpStatus }) => {
  if (Number(httpStatus) >= 400) return JSON.stringify
  let serialize: ((data: unknown) => string) | undefined
  // Our own formats are for what comes in: unknown ones would be complained of at each schema.
  return (data) => (serialize ??= fastJson(schema, STORED_IS_GOOD))(data)
}

/** Which branch of an `anyOf` an answer takes does not hang on a rule that is younger than what is stored. */
const STORED_IS_GOOD = { ajv: { formats: OWN_FORMATS } } as const

function checksOf(route: Route): RouteChecks {
  return {
    params: route.params ? compileCheck(route.params) : null,
    query: compileCheck(route.query ?? Closed({})),
    body: route.body ? compileCheck(route.body) : null,
  }
}

async function handle(
  options: RegisterOptions,
  route: Route,
  checks: RouteChecks,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer['body'] | FileAnswer['content']> {
  // What an upload has not read when it is refused is not waited for.
  if (route.upload) reply.header('connection', 'close')
  else if (request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const isForCallers = needsCaller(route)
  const credential = isForCallers ? await credentialOf(options, request, route.cookieAlone) : null
  askedBy.set(request, {
    userId: credential && 'userId' in credential ? credential.userId : null,
    organizationId: null,
  })
  const { limit } = route
  if (!limit || limit.when) await options.countCaller(request, reply, credential)
  const given = await answer(options.engine, route, checks, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: repeatable(request, 'x-service-company'),
    idempotencyHeader: repeatable(request, 'idempotency-key'),
    params: request.params as Record<string, string>,
    query: withoutKeys(request.query as Record<string, unknown>, isForCallers),
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
    multipart: multipartOf(request),
    headers: request.headers,
    requestId: request.id,
    ip: request.ip,
    concerns: (organizationId) =>
      void askedBy.set(request, { userId: askedBy.get(request)?.userId ?? null, organizationId }),
    limit: async (body) => {
      if (limit && (limit.when?.(body) ?? true))
        await options.countGuess(request, reply, limit.policy, guessedAt(limit.account?.(body), credential))
    },
  })
  askedBy.set(request, given)
  for (const cookie of given.cookies ?? []) options.setCookie(reply, cookie)
  if (given.replayed) reply.header('idempotent-replayed', 'true')
  if (route.upload) reply.removeHeader('connection')
  if (given.file) return sendFile(reply, given.file)
  reply.header(
    'cache-control',
    route.secret || !isForCallers || credential?.kind === 'api_key' ? 'no-store' : 'private, no-cache',
  )
  reply.code(given.status)
  // Returned, not sent: waiting for a reply that was sent costs listeners on every response.
  return given.body
}

const needsCaller = ({ access }: Route): boolean => access.kind !== 'open' && access.kind !== 'signed'

/** Credentials that are no good count against the address, or inventing them would cost nothing. */
async function countRefused(
  options: RegisterOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<never> {
  if (error instanceof AppError && error.code === 'AUTHENTICATION_ERROR')
    await options.countCaller(request, reply, null)
  throw error
}

function sendFile(reply: FastifyReply, file: FileAnswer): FileAnswer['content'] {
  const { content, contentType, fileName, size, sha256 } = file
  const length = Buffer.isBuffer(content) ? content.length : size
  if (length !== undefined) reply.header('content-length', String(length))
  if (sha256 !== undefined) reply.header('repr-digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
  reply.headers({
    'content-type': contentType,
    'content-disposition': attachmentDisposition(fileName),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  return content
}

function withoutKeys(query: Record<string, unknown>, mayBringKeys: boolean): Record<string, unknown> {
  if (!mayBringKeys || !('consumer_key' in query || 'consumer_secret' in query)) return query
  const { consumer_key: _key, consumer_secret: _secret, ...rest } = query
  return rest
}
