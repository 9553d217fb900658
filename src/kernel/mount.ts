// Routes as data → Fastify: paths, documents, serializers; the pipeline does the rest.
import '@fastify/cookie'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySerializerCompiler } from 'fastify'
import { readCredential } from './credentials.ts'
import type { Credential } from './credentials.ts'
import { documentOf } from './document.ts'
import { FailureEnvelope } from './envelope.ts'
import { AppError } from './errors.ts'
import { attachmentDisposition, type FileAnswer } from './files.ts'
import { multipartOf } from './multipart.ts'
import { type Answer, type Engine, type RouteChecks } from './pass.ts'
import { answer } from './pipeline.ts'
import type { Limit, Route } from './route.ts'
import { Closed } from './schema.ts'
import { compileCheck } from './validation.ts'

export type MountOptions = {
  engine: Engine
  routes: readonly Route[]
  /** Counts a caller's requests; throws 429. Sets the RateLimit fields. */
  countCaller: (request: FastifyRequest, reply: FastifyReply, credential: Credential | null) => Promise<void>
  /** Counts a request that guesses or enumerates, by address and by the account that it names. */
  countGuess: (
    request: FastifyRequest,
    reply: FastifyReply,
    policy: Limit['policy'],
    account: string | undefined,
  ) => Promise<void>
  cookieName: string
  setCookie: (reply: FastifyReply, cookie: NonNullable<Answer['cookie']>) => void
}

/** What the log line says about the one who asked. */
export type Asked = { userId: number | null; organizationId: number | null }
export const askedBy = new WeakMap<FastifyRequest, Asked>()

export function mount(app: FastifyInstance, options: MountOptions): void {
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
      handler: (request, reply) => handle(options, route, checks, request, reply),
    })
  }
  refuseOtherMethods(app, options)
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

/** Refusals are written by JSON.stringify (server/app.ts): a serializer for each of them on each route would fill memory. */
const serializerCompiler: FastifySerializerCompiler<object> = ({ schema, httpStatus }) =>
  Number(httpStatus) >= 400 ? JSON.stringify : fastJson(schema)

/** `/quotes/{id}` in the documents, `/quotes/:id` for the router. */
const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function checksOf(route: Route): RouteChecks {
  return {
    params: route.params ? compileCheck(route.params) : null,
    query: compileCheck(route.query ?? Closed({})),
    body: route.body ? compileCheck(route.body) : null,
  }
}

async function handle(
  options: MountOptions,
  route: Route,
  checks: RouteChecks,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer['body'] | FileAnswer['content']> {
  // What an upload has not read when it is refused is not waited for.
  if (route.upload) reply.header('connection', 'close')
  else if (request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const needsCaller = route.access.kind !== 'open' && route.access.kind !== 'signed'
  const credential = needsCaller ? await credentialOf(options, request, route.cookieAlone) : null
  const { limit } = route
  if (!limit || limit.when) await options.countCaller(request, reply, credential)
  const given = await answer(options.engine, route, checks, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: repeatable(request, 'x-service-company'),
    idempotencyHeader: repeatable(request, 'idempotency-key'),
    params: request.params as Record<string, string>,
    query: withoutKeys(request.query as Record<string, unknown>, needsCaller),
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
    multipart: multipartOf(request),
    headers: request.headers,
    requestId: request.id,
    ip: request.ip,
    limit: async (body) => {
      if (limit && (limit.when?.(body) ?? true))
        await options.countGuess(request, reply, limit.policy, limit.account?.(body) ?? accountOf(credential))
    },
  })
  askedBy.set(request, given)
  if (given.cookie) options.setCookie(reply, given.cookie)
  if (given.replayed) reply.header('idempotent-replayed', 'true')
  if (route.upload) reply.removeHeader('connection')
  if (given.file) return sendFile(reply, given.file)
  reply.header(
    'cache-control',
    route.secret || !needsCaller || credential?.kind === 'api_key' ? 'no-store' : 'private, no-cache',
  )
  reply.code(given.status)
  // Returned, not sent: waiting for a reply that was sent costs listeners on every response.
  return given.body
}

const NO_BODY = Buffer.alloc(0)

function sendFile(reply: FastifyReply, { content, contentType, fileName, size }: FileAnswer): FileAnswer['content'] {
  const length = Buffer.isBuffer(content) ? content.length : size
  if (length !== undefined) reply.header('content-length', String(length))
  reply.headers({
    'content-type': contentType,
    'content-disposition': attachmentDisposition(fileName),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  return content
}

/** Node joins most repeated headers with a comma; that is as wrong here as two values. */
function repeatable(request: FastifyRequest, name: string): string | string[] | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value.includes(',') ? value.split(',') : value
}

function withoutKeys(query: Record<string, unknown>, mayBringKeys: boolean): Record<string, unknown> {
  if (!mayBringKeys || !('consumer_key' in query || 'consumer_secret' in query)) return query
  const { consumer_key: _key, consumer_secret: _secret, ...rest } = query
  return rest
}

/** A guess by somebody who is in counts against their own account. */
const accountOf = (credential: Credential | null): string | undefined =>
  credential && credential.kind !== 'api_key' ? `user ${credential.userId}` : undefined

async function credentialOf(options: MountOptions, request: FastifyRequest, cookieAlone = false): Promise<Credential> {
  const query = request.query as Record<string, unknown>
  const { engine } = options
  const nonce = request.headers['x-service-nonce']
  const credential = await readCredential(
    {
      authorization: request.headers.authorization,
      cookie: request.cookies[options.cookieName],
      nonce: typeof nonce === 'string' ? nonce : undefined,
      cookieAlone,
      consumerKey: query['consumer_key'],
      consumerSecret: query['consumer_secret'],
    },
    engine.ports.accessTokens,
    engine.ports.secretKey,
    engine.clock(),
  )
  if (!credential || (cookieAlone && credential.kind !== 'session')) throw new AppError('AUTHENTICATION_ERROR')
  return credential
}

/** For what has no route: only a caller who is in learns that it does not exist. */
async function requireCaller(options: MountOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const credential = await credentialOf(options, request)
  await options.countCaller(request, reply, credential)
  const access = credential.kind === 'api_key' ? ANY_MEMBER : { kind: 'user' as const }
  const nothing: Route = { ...NO_ROUTE, access }
  await answer(options.engine, nothing, NO_CHECKS, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: undefined,
    idempotencyHeader: undefined,
    params: {},
    query: {},
    body: NO_BODY,
    multipart: null,
    headers: {},
    requestId: request.id,
    ip: request.ip,
    limit: async () => {},
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'AUTHENTICATION_ERROR') throw error
    if (!(error instanceof AppError)) throw error
  })
}

const ANY_MEMBER = { kind: 'organization', scopes: [], atLeast: 'pending' } as const
const NO_CHECKS: RouteChecks = { params: null, query: () => null, body: null }
const NO_ROUTE: Route = {
  method: 'GET',
  path: '',
  access: { kind: 'user' },
  purpose: '',
  tag: '',
  status: 200,
  fails: [],
  secret: false,
  cookieAlone: false,
  read: () => ({ kind: 'parts', statements: [], shape: () => null }),
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A known path with another method: 401 without credentials where the path needs them, else 405 with `Allow`. */
function refuseOtherMethods(app: FastifyInstance, options: MountOptions): void {
  const byPath = Map.groupBy(options.routes, (route) => route.path.replaceAll(/\{\w+\}/g, '{}'))
  for (const routes of byPath.values()) {
    const [first] = routes
    if (!first) continue
    const allowed: string[] = routes.map((route) => route.method)
    if (allowed.includes('GET')) allowed.push('HEAD')
    const isOpen = routes.some(({ access }) => access.kind === 'open' || access.kind === 'signed')
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: fastifyPath(first.path),
      schema: { hide: true },
      handler: async (request, reply) => {
        if (!isOpen) await requireCaller(options, request, reply)
        reply.header('allow', allowed.join(', '))
        throw new AppError('METHOD_NOT_ALLOWED')
      },
    })
  }
}
