// Registers the routes with Fastify: paths, OpenAPI descriptions, serializers. The pipeline does the rest.
import '@fastify/cookie'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySerializerCompiler } from 'fastify'
import {
  credentialOf,
  fastifyPath,
  goneSignal,
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
import { OWN_FORMATS } from '#kernel/values/formats.ts'
import { multipartOf, readRest } from './multipart.ts'
import type { Answer, RouteChecks } from './request-context.ts'
import { answer } from './pipeline.ts'
import type { Route } from './route.ts'
import { type SentFile, sentFile } from './sent-file.ts'
import { Closed } from '#kernel/values/schema.ts'
import { compileCheck } from './validation.ts'

/** Caller and organization of a request, for its log line. */
export type LoggedCaller = { userId: number | null; organizationId: number | null }

export function registerRoutes(app: FastifyInstance, options: RegisterOptions): void {
  const failures = FailureEnvelope
  app.addSchema(failures)
  app.decorateRequest('loggedCaller', null)
  for (const route of options.routes) {
    const checks = checksOf(route)
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      schema: documentOf(route),
      // The pipeline validates, after the access check.
      validatorCompiler: () => () => true,
      serializerCompiler,
      ...((route.upload ?? route.file) && { handlerTimeout: FILE_MS }),
      config: { isUpload: route.upload !== undefined },
      handler: (request, reply) =>
        handle(options, route, checks, request, reply)
          .catch((error: unknown) =>
            needsCaller(route) ? countRefused(options, request, reply, error) : Promise.reject(error),
          )
          .catch(async (error: unknown) => {
            if (route.upload) await readRest(request)
            throw error
          }),
    })
  }
  answerOtherMethods(app, options)
  app.setNotFoundHandler(async (request, reply) => {
    await requireCaller(options, request, reply)
    throw new AppError('NOT_FOUND')
  })
}

/** Time for receiving or sending a file: 100 MiB need 1 Mbit/s. A stalled connection ends earlier. */
export const FILE_MS = 900_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until it is known. Of the request itself: a `WeakMap` of requests cost 2 µs for each. */
    loggedCaller?: LoggedCaller | null
  }
  interface FastifyContextConfig {
    /** The body may take up to `FILE_MS`. */
    isUpload?: boolean
  }
}

/**
 * Compiled at the first answer of the route, so that the start does not wait for all of them. Errors are written by
 * JSON.stringify (server/app.ts): a serializer for each error of each route would fill memory.
 */
const serializerCompiler: FastifySerializerCompiler<object> = ({ schema, httpStatus }) => {
  if (Number(httpStatus) >= 400) return JSON.stringify
  let serialize: ((data: unknown) => string) | undefined
  return (data) => (serialize ??= fastJson(schema, SERIALIZER_OPTIONS))(data)
}

/**
 * Makes our formats known to the serializer, which warns of unknown ones. They accept any text there, so that stored
 * values that are older than a format's rule still match their branch of an `anyOf`.
 */
const SERIALIZER_OPTIONS = { ajv: { formats: OWN_FORMATS } } as const

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
): Promise<Answer['body'] | SentFile['content']> {
  // The connection closes when an upload is refused: the rest of its body is waited for only for a moment.
  if (route.upload) reply.header('connection', 'close')
  else if (request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const isForCallers = needsCaller(route)
  const credential = isForCallers ? await credentialOf(options, request, route.cookieAlone) : null
  const logged: LoggedCaller = {
    userId: credential && 'userId' in credential ? credential.userId : null,
    organizationId: null,
  }
  request.loggedCaller = logged
  const { limit } = route
  if (!limit || limit.when) await options.countCaller(request, reply, credential)
  const answered = await answer(options.engine, route, checks, {
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
    gone: () => goneSignal(reply),
    logOrganization: (organizationId) => void (logged.organizationId = organizationId),
    limit: async (body) => {
      if (limit && (limit.when?.(body) ?? true))
        await options.countGuess(request, reply, limit.policy, guessedAt(limit, body, credential))
    },
  })
  logged.userId = answered.userId
  logged.organizationId = answered.organizationId
  for (const cookie of answered.cookies ?? []) options.setCookie(reply, cookie)
  if (answered.replayed) reply.header('idempotent-replayed', 'true')
  if (route.upload) reply.removeHeader('connection')
  if (answered.file) {
    const { status, headers, content } = await sentFile(request, answered.file)
    reply.code(status).headers(headers)
    return content
  }
  reply.header(
    'cache-control',
    route.secret || !isForCallers || credential?.kind === 'api_key' ? 'no-store' : 'private, no-cache',
  )
  reply.code(answered.status)
  // Returned instead of `reply.send`, which would add listeners to every response.
  return answered.body
}

const needsCaller = ({ access }: Route): boolean => access.kind !== 'open' && access.kind !== 'signed'

/** Requests with bad credentials count against the network address, or guessing credentials would be unlimited. */
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

function withoutKeys(query: Record<string, unknown>, mayBringKeys: boolean): Record<string, unknown> {
  if (!mayBringKeys || !('consumer_key' in query || 'consumer_secret' in query)) return query
  const { consumer_key: _key, consumer_secret: _secret, ...rest } = query
  return rest
}
