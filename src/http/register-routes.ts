// Registers the routes with Fastify: paths, OpenAPI descriptions, serializers. The pipeline does the rest.
import { asciiAddressesIn } from '#kernel/values/validation/ascii-addresses.ts'
import '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySerializerCompiler } from 'fastify'
import { credentialOf, fastifyPath, goneSignal, guessedAt, type RegisterOptions, repeatable } from './caller.ts'
import { documentOf } from '#http/openapi/document.ts'
import { isTagged, tagAnswer, weakTagOf } from '#http/features/entity-tag.ts'
import { FailureEnvelope } from './envelope.ts'
import { expansionOf } from '#http/features/expand.ts'
import { multipartOf, readRest } from '#http/features/multipart.ts'
import { operationRoutes } from '#http/features/operation-routes.ts'
import { recordReadOf } from '#http/features/precondition.ts'
import { answer } from './answer.ts'
import { type Answer, needsCaller, type RouteChecks } from './request-context.ts'
import type { Route } from './route.ts'
import { type SentFile, sentFile } from '#http/features/sent-file.ts'
import { serializerOf } from './serialize.ts'
import { languageFrom } from '#texts/language.ts'
import { sentenceIn } from '#texts/answers/sentences.ts'
import { answerUnknownRoutes } from './unknown-routes.ts'
import { cutOf } from '#http/features/sparse-fields.ts'
import type { TSchema } from 'typebox'
import { Closed } from '#kernel/values/schema.ts'
import { compileCheck } from '#kernel/values/validation/validation.ts'

/** Caller and organization of a request, for its log line. */
export type LoggedCaller = { userId: number | null; organizationId: number | null }

export function registerRoutes(app: FastifyInstance, options: RegisterOptions): void {
  app.addSchema(FailureEnvelope)
  app.decorateRequest('loggedCaller', null)
  for (const route of options.routes) if (!route.features.upload) register(app, options, route)
  // Apart, since the parser of multipart bodies adds listeners to every request of its scope.
  void app.register(async (uploads) => {
    // A file that is too large sets `truncated` instead, so that the bytes received so far can be removed first.
    await uploads.register(multipart, { throwFileSizeLimit: false })
    for (const route of options.routes) if (route.features.upload) register(uploads, options, route)
  })
  answerUnknownRoutes(app, options)
}

function register(app: FastifyInstance, options: RegisterOptions, route: Route): void {
  const checks = checksOf(route, options.routes)
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    schema: documentOf(route),
    // The pipeline validates, after the access check.
    validatorCompiler: () => () => true,
    serializerCompiler,
    ...((route.features.upload ?? route.features.file) && { handlerTimeout: FILE_MS }),
    onSend: [...(isTagged(route) ? [tagAnswer] : []), ...deprecation(route)],
    config: { isUpload: route.features.upload !== undefined },
    handler: async (request, reply) => {
      try {
        return await handle(options, route, checks, request, reply)
      } catch (error) {
        if (route.features.upload) await readRest(request)
        throw error
      }
    },
  })
}

/** RFC 9745 and RFC 8594, when it is sent: what is wrong with a body is said before the handler. */
function deprecation({ features: { deprecated } }: Route) {
  if (!deprecated) return []
  const headers = {
    deprecation: `@${new Date(deprecated.since).getTime() / 1000}`,
    sunset: new Date(deprecated.sunset).toUTCString(),
    // The page has the operation, which says what to use instead.
    link: '</docs>; rel="deprecation"; type="text/html"',
  }
  return [async (_request: FastifyRequest, reply: FastifyReply) => void reply.headers(headers)]
}

/** Time for receiving or sending a file: 100 MiB need 1 Mbit/s. A stalled connection ends earlier. */
export const FILE_MS = 900_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until it is known. Of the request itself: a `WeakMap` of requests cost 2 µs for each. */
    loggedCaller?: LoggedCaller | null
    /** The pattern of a path that has routes, but none with this method. */
    knownPath?: string | null
  }
  interface FastifyContextConfig {
    /** The body may take up to `FILE_MS`. */
    isUpload?: boolean
  }
}

/**
 * Errors are written by JSON.stringify (app.ts). Made at the first answer of the route, so that the start does not
 * wait for all of them.
 */
const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema, httpStatus }) => {
  if (Number(httpStatus) >= 400) return JSON.stringify
  let serialize: ((data: unknown) => string) | undefined
  return (data) => (serialize ??= serializerOf(schema))(data)
}

function checksOf(route: Route, routes: readonly Route[]): RouteChecks {
  return {
    params: route.params ? compileCheck(route.params) : null,
    query: compileCheck(route.query ?? Closed({})),
    body: route.body ? compileCheck(route.body) : null,
    ascii: { query: asciiAddressesIn(route.query), body: asciiAddressesIn(route.body) },
    record: recordReadOf(route, routes),
    cut: cutOf(route),
    expansion: expansionOf(route, routes),
    ...(route.features.bulk && { operations: operationRoutes(routes, (one) => checksOf(one, routes)) }),
  }
}

async function handle(
  options: RegisterOptions,
  route: Route,
  checks: RouteChecks,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer['body'] | SentFile['content']> {
  const { upload, limit, secret, cookieAlone, moment, cacheSeconds } = route.features
  // The connection closes when an upload is refused: the rest of its body is waited for only for a moment.
  if (upload) reply.header('connection', 'close')
  const isForCallers = needsCaller(route)
  const credential = isForCallers ? await credentialOf(options, { request, reply, cookieAlone }) : null
  const logged: LoggedCaller = {
    userId: credential && 'userId' in credential ? credential.userId : null,
    organizationId: null,
  }
  request.loggedCaller = logged
  // A route's own limit counts what comes as far as guessing: the refusals before are counted here.
  if (isForCallers || !limit || limit.when) await options.countCaller(request, reply, credential)
  const answered = await answer(options.engine, route, checks, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: repeatable(request, 'x-service-company'),
    idempotencyHeader: repeatable(request, 'idempotency-key'),
    params: request.params as Record<string, string>,
    query: withoutKeys(request.query as Record<string, unknown>, isForCallers),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    multipart: upload ? multipartOf(request) : null,
    headers: request.headers,
    requestId: request.id,
    ip: request.ip,
    gone: () => goneSignal(reply),
    prove: (isProven) => void (credential && options.proveCaller(credential, isProven)),
    countOperation: () => options.countCaller(request, reply, credential),
    logFailure: (error) => options.logFailure(request, error),
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
  if (upload) reply.removeHeader('connection')
  if (answered.file) {
    const { status, headers, content } = await sentFile(request, answered.file, cacheSeconds)
    reply.code(status).headers(headers)
    return content
  }
  const isUnkept = secret || !isForCallers || credential?.kind === 'api_key'
  reply.header(
    'cache-control',
    cacheSeconds !== undefined ? `public, max-age=${cacheSeconds}` : isUnkept ? 'no-store' : 'private, no-cache',
  )
  const cut = checks.cut(request.query as object, answered.body.data)
  // The route's own serializer asks for all fields.
  if (cut) reply.serializer(JSON.stringify).header('content-type', 'application/json; charset=utf-8')
  const said = saidTo(request, reply, answered.body)
  const body = cut ? { ...said, ...cut } : said
  if (moment) reply.header('etag', weakTagOf(body.data as object, moment))
  reply.code(answered.status)
  // Returned instead of `reply.send`, which would add listeners to every response.
  return body
}

/** The answer with its sentence in the caller's language. */
function saidTo({ headers }: FastifyRequest, reply: FastifyReply, body: Answer['body']): Answer['body'] {
  if (body.message === null) return body
  const language = languageFrom(headers['accept-language'], 'en')
  reply.header('content-language', language)
  return { ...body, message: sentenceIn(language, body.message) }
}

function withoutKeys(query: Record<string, unknown>, mayBringKeys: boolean): Record<string, unknown> {
  if (!mayBringKeys || !('consumer_key' in query || 'consumer_secret' in query)) return query
  const { consumer_key: _key, consumer_secret: _secret, ...rest } = query
  return rest
}
