// Routes as data → Fastify: paths, documents, serializers; the pipeline does the rest.
import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { readCredential } from './credentials.ts'
import type { Credential } from './credentials.ts'
import { FailureEnvelope, PageEnvelope, SuccessEnvelope } from './envelope.ts'
import { AppError, ERRORS, type ErrorCode } from './errors.ts'
import { type Answer, type Engine, type RouteChecks, answer } from './pipeline.ts'
import type { FileAnswer, Limit, Route } from './route.ts'
import { SCOPES } from './permissions.ts'
import { Closed } from './schema.ts'
import { compileCheck } from './validation.ts'

export type MountOptions = {
  engine: Engine
  routes: readonly Route[]
  /** Counts a caller's requests; throws 429. Sets the RateLimit fields. */
  countCaller: (request: FastifyRequest, credential: Credential | null) => Promise<void>
  /** Counts a request that guesses or enumerates, by address and by the account that it names. */
  countGuess: (request: FastifyRequest, policy: Limit['policy'], account: string | undefined) => Promise<void>
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
      handler: (request, reply) => handle(options, route, checks, request, reply),
    })
  }
  refuseOtherMethods(app, options)
  app.setNotFoundHandler(async (request) => {
    await requireCaller(options, request)
    throw new AppError('NOT_FOUND')
  })
}

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
): Promise<void> {
  const needsCaller = route.access.kind !== 'open' && route.access.kind !== 'signed'
  const credential = needsCaller ? await credentialOf(options, request, route.cookieAlone) : null
  const { limit } = route
  if (!limit || limit.when) await options.countCaller(request, credential)
  const given = await answer(options.engine, route, checks, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: repeatable(request, 'x-service-company'),
    idempotencyHeader: repeatable(request, 'idempotency-key'),
    params: request.params as Record<string, string>,
    query: withoutKeys(request.query as Record<string, unknown>, needsCaller),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    requestId: request.id,
    ip: request.ip,
    limit: async (body) => {
      if (limit && (limit.when?.(body) ?? true))
        await options.countGuess(request, limit.policy, limit.account?.(body) ?? accountOf(credential))
    },
  })
  askedBy.set(request, given)
  if (given.cookie) options.setCookie(reply, given.cookie)
  if (given.replayed) reply.header('idempotent-replayed', 'true')
  reply.header(
    'cache-control',
    route.secret || !needsCaller || credential?.kind === 'api_key' ? 'no-store' : 'private, no-cache',
  )
  if (given.file && route.file) await sendFile(reply, route.file.contentType, given.file)
  else await reply.code(given.status).send(given.body)
}

/** Saved under its name, never shown in place of a page: it may hold what users wrote. */
async function sendFile(reply: FastifyReply, contentType: string, { bytes, fileName }: FileAnswer): Promise<void> {
  const plain = fileName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
  const exact = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  reply.header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
  reply.header('x-content-type-options', 'nosniff')
  await reply
    .code(200)
    .type(contentType)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Node joins most repeated headers with a comma; that is as wrong here as two values. */
function repeatable(request: FastifyRequest, name: string): string | string[] | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value.includes(',') ? value.split(',') : value
}

function withoutKeys(query: Record<string, unknown>, mayBringKeys: boolean): Record<string, unknown> {
  if (!mayBringKeys) return query
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
async function requireCaller(options: MountOptions, request: FastifyRequest): Promise<void> {
  const credential = await credentialOf(options, request)
  await options.countCaller(request, credential)
  const access = credential.kind === 'api_key' ? ANY_MEMBER : { kind: 'user' as const }
  const nothing: Route = { ...NO_ROUTE, access }
  await answer(options.engine, nothing, NO_CHECKS, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: undefined,
    idempotencyHeader: undefined,
    params: {},
    query: {},
    body: Buffer.alloc(0),
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
        if (!isOpen) await requireCaller(options, request)
        reply.header('allow', allowed.join(', '))
        throw new AppError('METHOD_NOT_ALLOWED')
      },
    })
  }
}

/** Everything that the documents say of a route, and the serializers. Fastify's own validation is not used. */
function documentOf(route: Route): object {
  const { access } = route
  const isOpen = access.kind === 'open' || access.kind === 'signed'
  const isInOrganization = access.kind === 'organization' || access.kind === 'staff'
  const success = route.page ? PageEnvelope(route.page) : SuccessEnvelope(route.data ?? Type.Null())
  const response: Record<number, object> = {
    [route.status]: route.file ? fileResponse(route.file.contentType, route.purpose) : describe(success, route.purpose),
  }
  for (const code of failuresOf(route))
    response[ERRORS[code].status] = Type.Object(FailureEnvelope.properties, { description: ERRORS[code].message })
  return {
    operationId: operationId(route),
    summary: route.purpose,
    description: [route.description, accessSentence(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && {
      body: route.example === undefined ? route.body : { ...route.body, examples: [route.example] },
    }),
    ...(isInOrganization && { headers: ORGANIZATION_HEADERS }),
    security: isOpen
      ? []
      : isInOrganization
        ? [{ bearer: [] }, { session: [], nonce: [] }, { apiKey: [], apiSecret: [] }]
        : [{ bearer: [] }, { session: [], nonce: [] }],
    response,
  }
}

const fileResponse = (contentType: string, description: string): object => ({
  description,
  content: { [contentType]: { schema: { type: 'string', format: 'binary' } } },
})

const describe = (schema: TSchema, description: string): TSchema => ({ ...schema, description })

const ORGANIZATION_HEADERS = {
  type: 'object',
  required: ['X-Service-Organization'],
  properties: {
    'X-Service-Organization': { type: 'integer', description: 'The organization to work in', examples: [1] },
    'X-Service-Company': {
      type: 'string',
      enum: ['entity_br', 'entity_global'],
      description: 'The legal entity, where no record fixes it already',
    },
  },
}

/** Every code that the route can answer, its own and the pipeline's. */
export function failuresOf(route: Route): ErrorCode[] {
  const { access } = route
  const codes = new Set<ErrorCode>(route.fails)
  codes.add('VALIDATION_ERROR').add('RATE_LIMIT').add('INTERNAL_ERROR').add('SERVICE_UNAVAILABLE')
  if (route.method !== 'GET') codes.add('BAD_REQUEST').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (route.params) codes.add('NOT_FOUND')
  if (route.method === 'POST' && access.kind !== 'open' && access.kind !== 'signed') codes.add('CONFLICT')
  if (access.kind !== 'open' && access.kind !== 'signed') codes.add('AUTHENTICATION_ERROR')
  if (access.kind === 'signed') codes.add('AUTHENTICATION_ERROR')
  if (access.kind === 'administrator') codes.add('AUTHORIZATION_ERROR')
  if (access.kind === 'organization' || access.kind === 'staff')
    codes.add('BAD_REQUEST').add('AUTHORIZATION_ERROR').add('NOT_FOUND')
  return [...codes].toSorted((one, other) => ERRORS[one].status - ERRORS[other].status)
}

/** `postQuotesByIdAccept` */
function operationId({ method, path }: Route): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .flatMap((part) => (part.startsWith('{') ? ['by', part.slice(1, -1)] : part.split('-')))
  return (
    method.toLowerCase() +
    words
      .map((word) => (word[0] ?? '').toUpperCase() + word.slice(1))
      .join('')
      .replaceAll('_', '')
  )
}

function accessSentence({ access }: Route): string {
  if (access.kind === 'open') return 'No credentials.'
  if (access.kind === 'signed') return `No credentials; the body is signed by the ${access.source}.`
  if (access.kind === 'user') return 'Any signed-in user.'
  if (access.kind === 'administrator') return 'Administrators of the platform.'
  if (access.kind === 'staff') return 'Staff: administrators of the platform, inside the organization of the header.'
  const scopes = access.scopes.map((scope) => `\`${scope}\` (${SCOPES[scope].governs})`)
  return `${scopes.length ? `Scope ${scopes.join(' and ')}` : 'No scope'}; role ${access.atLeast} or higher.`
}
