// The HTTP server: what all answers have in common (envelope, request id, limits, headers, log line), and the routes.
import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { cookieName, isUnderTls } from '#http/cookie-name.ts'
import { failure } from '#http/envelope.ts'
import { AppError, ERRORS, toAppError } from '#kernel/values/errors.ts'
import { registerRoutes, FILE_MS } from '#http/register-routes.ts'
import type { Engine } from '#http/request-context.ts'
import type { Area } from '#http/manifest/area.ts'
import type { Config } from '#config/config.ts'
import { type Counters, countRequests } from './count-requests.ts'
import { crossOrigin } from './cross-origin.ts'
import { documents } from '#http/pages/documents.ts'
import { DRAIN_MS, drainOnClose } from './drain.ts'
import { health } from './health.ts'
import { type DemoSignIns, guardDemoSignIns } from './local-only.ts'
import { measureRoutes, type Metrics, metricsRoute } from '#http/metrics/metrics.ts'
import { oauth } from './oauth.ts'
import { requestLog } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'
import { answerUnreadable, answerInsteadOfNode } from './unreadable.ts'
import { languageFrom } from '#texts/language.ts'

const BASE_PATH = '/api/v1'

type AppOptions = Counters & {
  config: Config
  engine: Engine
  areas: readonly Area<unknown>[]
  /** By `errors.reason`: what it means. */
  reasons: Readonly<Record<string, string>>
  log: Logger
  metrics: Metrics
  demo: DemoSignIns
  /** False once the process drains. */
  isReady: () => boolean
  /** Registers what is outside of the API: pages of mailed links, the sandbox's pay page and mail viewer. */
  pages: (app: FastifyInstance) => void | Promise<void>
}

const MAX_BODY_BYTES = 1024 * 1024
const REQUEST_MS = 30_000

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, log } = options
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: MAX_BODY_BYTES,
    // For files; other bodies must arrive within `REQUEST_MS` (`limitBodyTime`).
    requestTimeout: FILE_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // Longer than a body may take to arrive (`REQUEST_MS`), so that a slow sender does not cause a 503.
    handlerTimeout: 40_000,
    // Slow headers end after 12 seconds at most. A missing Host is answered with an envelope (unreadable.ts).
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, requireHostHeader: false },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false, caseSensitive: true },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    // Requests on connections that are still open during shutdown are answered as usual (drain.ts).
    return503OnClosing: false,
    // Also limits closing, which waits for the requests in flight.
    pluginTimeout: 3 * DRAIN_MS,
    // For URLs that cannot be parsed. The error is not logged, because it repeats the URL.
    frameworkErrors: (_error, request, reply) => {
      request.log.info({ status: 400, ip: request.ip, reason: 'address' }, 'unreadable request')
      void answerFailure(new AppError('BAD_REQUEST'), { request, reply, publicUrl: config.publicUrl })
    },
    clientErrorHandler: answerUnreadable(log),
  })
  app.server.maxConnections = 10_000
  // Before the requests in flight are waited for.
  app.addHook('preClose', async () => options.engine.longPolls.close())
  drainOnClose(app, options.isReady)
  // The pipeline parses bodies, after the access check.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const { publicUrl } = config
  app.setErrorHandler((error, request, reply) => answerFailure(error, { request, reply, publicUrl }))
  await securityHeaders(app, config)
  app.addHook('onRequest', limitBodyTime)
  app.addHook('onRequest', refuseCodings)
  answerInsteadOfNode(app, log)
  app.addHook('onResponse', requestLog(log))
  await crossOrigin(app, options)
  // Cookies are read by the pipeline, when a request has some and they are its credential.
  await app.register(cookie, { hook: false })
  const { areas } = options
  await documents(app, { basePath: BASE_PATH, brand: config.brand, areas, reasons: Object.keys(options.reasons) })
  measureRoutes(app, options.metrics)
  metricsRoute(app, options)
  health(app, options)
  await app.register(
    async (api) => {
      guardDemoSignIns(api, options)
      registerApi(api, options)
    },
    { prefix: BASE_PATH },
  )
  await oauth(app, options)
  await options.pages(app)
  app.setNotFoundHandler(async () => {
    throw new AppError('NOT_FOUND')
  })
  return app
}

function registerApi(api: FastifyInstance, { config, engine, areas, ...counters }: AppOptions): void {
  const { publicUrl } = config
  const hidden = { path: '/', httpOnly: true, secure: isUnderTls(publicUrl), sameSite: 'lax' } as const
  // The bodies of inbound webhooks are read as bytes with these content types too; registration pings are form-encoded.
  for (const type of ['application/x-www-form-urlencoded', 'text/plain'])
    api.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      if (request.url.startsWith(`${BASE_PATH}/webhooks/`)) done(null, body)
      else done(new AppError('UNSUPPORTED_MEDIA_TYPE'))
    })
  registerRoutes(api, {
    engine,
    routes: areas.flatMap(({ routes }) => routes),
    cookieName: cookieName('service_session', publicUrl),
    setCookie: (reply, { name, value, maxAgeSeconds }) => {
      void reply.setCookie(cookieName(name, publicUrl), value, { ...hidden, maxAge: maxAgeSeconds })
    },
    logFailure,
    ...countRequests(api, counters),
  })
}

/** The id that the request brings, if well-formed; else a new one. */
function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{8,100}$/.test(given) ? given : randomUUID()
}

type FailedRequest = { request: FastifyRequest; reply: FastifyReply; publicUrl: string }

function answerFailure(error: unknown, { request, reply, publicUrl }: FailedRequest): FastifyReply {
  const known = isFastifyValidation(error)
    ? new AppError('BAD_REQUEST', { cause: error })
    : toAppError(error, request.id)
  const { status } = ERRORS[known.code]
  const language = languageFrom(request.headers['accept-language'], 'en')
  if (isBrokenOff(error, request)) request.log.info({ ip: request.ip }, 'the request ended before its body was there')
  else logFailure(request, known, error)
  if (known.details.retryAfter !== undefined) reply.header('retry-after', String(known.details.retryAfter))
  if (known.details.size !== undefined) reply.header('content-range', `bytes */${known.details.size}`)
  reply.header('x-request-id', request.id)
  // Not with the serializers of the route, which may not have one for this status.
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .header('content-language', language)
    .send(failure(known, publicUrl, language))
}

function logFailure(request: FastifyRequest, known: AppError, error: unknown = known): void {
  if (ERRORS[known.code].status >= 500) request.log.error({ err: known.details.cause ?? error }, 'request failed')
  else if (known.details.cause !== undefined)
    request.log[known.details.reason === 'sso_refused' ? 'warn' : 'debug'](
      { err: known.details.cause },
      'request refused',
    )
}

/** The body was aborted by the client or took too long. Logged as info, since anybody can cause it at will. */
const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.readableAborted && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

const isFastifyValidation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_VALIDATION'

/** Closes the connection of a body that has not arrived within `REQUEST_MS`. */
function limitBodyTime({ raw, routeOptions }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
  if (hasBody && !routeOptions.config.isUpload) {
    const timer = setTimeout(() => raw.destroy(), REQUEST_MS).unref()
    const isThere = () => clearTimeout(timer)
    raw.once('end', isThere).once('close', isThere)
  }
  done()
}

/** No body is decoded, so one that says it is coded is refused by that name, never read as if it did not say so. */
function refuseCodings({ headers }: FastifyRequest, reply: FastifyReply, done: (refused?: Error) => void): void {
  const coding = headers['content-encoding'] ?? ''
  if (coding === '' || coding.toLowerCase() === 'identity') return done()
  reply.header('accept-encoding', 'identity')
  done(
    new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'The content coding is not supported; send the body as it is' }),
  )
}
